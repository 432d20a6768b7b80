import { z } from "zod";
import { notFound } from "../../errors.ts";

/** The one vector store of a company. */
export function vectorStoreId(companyId: string): string {
  return `vs_${withoutDashes(companyId)}`;
}

/** @param sourceRowId the id of the row, not the caller's own */
export function fileId(sourceRowId: string): string {
  return `file-${withoutDashes(sourceRowId)}`;
}

/** The id of the source's row. */
export const fileIdInput = z
  .string("must be a string")
  .regex(/^file-[0-9a-f]{32}$/, 'must be the ID of a file, "file-…"')
  .transform((id) => id.slice("file-".length).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"));

/** @throws {AppError} NotFound unless the id is that of the company's vector store */
export function requireStore(companyId: string, id: string): void {
  if (id !== vectorStoreId(companyId)) throw notFound("Vector store");
}

function withoutDashes(uuid: string): string {
  return uuid.replaceAll("-", "");
}
