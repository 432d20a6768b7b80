import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The exported functions of lib that take a company's scope, or an actor alone, and that pages, routes or the command line
 * call.
 */
export function serviceMethods(): { name: string; takesActor: boolean }[] {
  const read = (...folders: string[]) =>
    folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$|^testing\//.test(name))
        .map((name) => readFileSync(join(folder, name), "utf8")),
    );
  const callers = read("app", "scripts", "lib/adapters", "lib/http").join("\n");
  const signature =
    /^export (?:async )?function\*? (\w+)\(\s*(?:scope: TenantScope|\{[^}]*\}: TenantScope)(,\s*actor: Actor\b)?/gm;
  const withoutScope = /^export async function\*? (\w+)\(\s*actor: Actor\b/gm;
  return read("lib")
    .flatMap((text) => [
      ...[...text.matchAll(signature)].map(([, name = "", actor]) => ({ name, takesActor: actor !== undefined })),
      ...[...text.matchAll(withoutScope)].map(([, name = ""]) => ({ name, takesActor: true })),
    ])
    .filter(({ name }) => new RegExp(`\\b${name}\\b`).test(callers));
}
