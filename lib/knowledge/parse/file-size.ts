import { FILE_BYTES_MAX } from "../limits.ts";
import { UnreadableFile } from "./document.ts";

/** @throws {UnreadableFile} above the limit of 50 MB */
export function refuseTooLarge(bytes: number): void {
  if (bytes <= FILE_BYTES_MAX) return;
  const size = Math.ceil(bytes / 1024 / 1024);
  throw new UnreadableFile(`The file is larger than 50 MB (${size} MB). Split it and add the parts.`);
}
