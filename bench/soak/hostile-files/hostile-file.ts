import type { Random } from "../random.ts";

/** A file that somebody made to hurt whoever reads it. */
export interface HostileFile {
  /** The name that it is given; it may be hostile itself. */
  name: string;
  make(random: Random): Uint8Array;
  /** Made and answered within about a second, so that it is in the quick run too. */
  cheap?: boolean;
}

/** Files by name, for tables that are easy to read. */
export function hostileFiles(files: Record<string, Omit<HostileFile, "name"> | HostileFile["make"]>): HostileFile[] {
  return Object.entries(files).map(([name, file]) =>
    typeof file === "function" ? { name, make: file } : { name, ...file },
  );
}

export function cheap(make: HostileFile["make"]): Omit<HostileFile, "name"> {
  return { make, cheap: true };
}

export const text = (content: string): Uint8Array => Buffer.from(content);

/** Whether a reason is a sentence for a person: no stack, no path, no words of a library. */
export function isPlainSentence(reason: string): boolean {
  return /^[A-Z](?!.*(?:\bError\b|undefined|\bnull\b|node_modules|\bat \/|\[object|0x)).{10,250}[.]$/s.test(reason);
}
