import { existsSync } from "node:fs";
import path from "node:path";

let projectFolder: string | undefined;

/**
 * The folder of package.json. Code in a bundle cannot find it by its own path and uses the working directory, which npm
 * sets.
 */
export function projectRoot(): string {
  projectFolder ??= findProjectFolder();
  return projectFolder;
}

function findProjectFolder(): string {
  const parent = path.dirname(import.meta.dirname ?? process.cwd());
  const config = path.join(/* turbopackIgnore: true */ parent, "next.config.mjs");
  return existsSync(/* turbopackIgnore: true */ config) ? parent : process.cwd();
}
