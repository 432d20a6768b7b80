import type { Random } from "../random.ts";

/** A file that is made to harm its reader. */
export interface HostileFile {
  /** The file name, which may be hostile itself. */
  name: string;
  make(random: Random): Uint8Array;
  /** True for a file that is created and processed within about a second, so that the short run includes it. */
  cheap?: boolean;
}

/** Hostile files from a table by name. */
export function hostileFiles(files: Record<string, Omit<HostileFile, "name"> | HostileFile["make"]>): HostileFile[] {
  return Object.entries(files).map(([name, file]) =>
    typeof file === "function" ? { name, make: file } : { name, ...file },
  );
}

export function cheap(make: HostileFile["make"]): Omit<HostileFile, "name"> {
  return { make, cheap: true };
}

export const text = (content: string): Uint8Array => Buffer.from(content);

/** Whether a reason is a plain sentence, without a stack, a path or a library's own words. */
export function isPlainSentence(reason: string): boolean {
  return /^[A-Z](?!.*(?:\bError\b|undefined|\bnull\b|node_modules|\bat \/|\[object|0x)).{10,250}[.]$/s.test(reason);
}
