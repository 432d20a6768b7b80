import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The TypeScript files of a folder and its subfolders, without tests. */
export function sourceFilesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

/** The modules that a file imports; the project's own as paths from its root. */
export function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name = ""]) =>
    name.startsWith(".") ? join(file, "..", name) : name.replace(/^@\//, ""),
  );
}
