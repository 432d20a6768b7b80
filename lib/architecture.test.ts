import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const files = ["app", "components", "lib"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name)),
);

/** The modules that a file imports; the project's own as paths from its root. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name = ""]) =>
    name.startsWith(".") ? join(file, "..", name) : name.replace(/^@\//, ""),
  );
}

function offenders(from: (file: string) => boolean, to: (module: string) => boolean): string[] {
  return files.filter(from).flatMap((file) =>
    importsOf(file)
      .filter(to)
      .map((module) => `${file} → ${module}`),
  );
}

/** Every file that imports itself, directly or through others. */
function importCycles(): string[] {
  const known = new Set(files);
  const imports = new Map(files.map((file) => [file, importsOf(file).filter((module) => known.has(module))]));
  function reaches(target: string): boolean {
    const seen = new Set<string>();
    const open = [...(imports.get(target) ?? [])];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (file === target) return true;
      if (seen.has(file)) continue;
      seen.add(file);
      open.push(...(imports.get(file) ?? []));
    }
    return false;
  }
  return files.filter(reaches);
}

describe("imports between layers", () => {
  it("keeps lib free of pages and components", () => {
    expect(
      offenders(
        (file) => file.startsWith("lib/"),
        (module) => /^(app|components)\//.test(module),
      ),
    ).toEqual([]);
  });

  it("keeps components free of pages", () => {
    expect(
      offenders(
        (file) => file.startsWith("components/"),
        (module) => module.startsWith("app/"),
      ),
    ).toEqual([]);
  });

  it("keeps the database free of domains", () => {
    const below = (module: string) => /^lib\/(db\/|[^/]+$)/.test(module);
    expect(
      offenders(
        (file) => file.startsWith("lib/db/"),
        (module) => module.startsWith("lib/") && !below(module),
      ),
    ).toEqual([]);
  });

  it("has no import cycles, including type and dynamic imports", () => {
    expect(importCycles()).toEqual([]);
  });

  it("allows the framework in lib only in http and auth", () => {
    const edge = /^lib\/(http|auth)\//;
    const framework = (module: string) => /^(next|next-auth|react)(\/|$)/.test(module);
    expect(offenders((file) => file.startsWith("lib/") && !edge.test(file), framework)).toEqual([]);
  });

  it("keeps domains free of lib/http", () => {
    const edge = /^lib\/(http|auth|openapi)\//;
    const domain = (file: string) => /^lib\/[a-z-]+\//.test(file) && !edge.test(file);
    expect(offenders(domain, (module) => module.startsWith("lib/http/"))).toEqual([]);
  });

  it("keeps SQL out of pages and components", () => {
    const sql = (module: string) => /^(postgres|drizzle-orm)(\/|$)|^lib\/db\/(client|schema)|queries\.ts$/.test(module);
    expect(offenders((file) => !file.startsWith("lib/"), sql)).toEqual([]);
  });

  it("lets a domain use only its own queries", () => {
    const foreign = files
      .filter((file) => file.startsWith("lib/"))
      .flatMap((file) =>
        importsOf(file)
          .filter((module) => /^lib\/[a-z-]+\/queries\.ts$/.test(module) && module.split("/")[1] !== file.split("/")[1])
          .map((module) => `${file} → ${module}`),
      );
    expect(foreign).toEqual([]);
  });

  it("lists every caller that works without a company", () => {
    const callers = files.filter(
      (file) => !file.startsWith("lib/db/") && importsOf(file).some((module) => module.startsWith("lib/db/system/")),
    );
    expect(callers.sort()).toMatchInlineSnapshot(`
      [
        "lib/api-keys/authenticate.ts",
        "lib/auth/member.ts",
        "lib/backup/automatic-backups.ts",
        "lib/backup/originals.ts",
        "lib/backup/restore.ts",
        "lib/backup/write.ts",
        "lib/companies/service.ts",
        "lib/http/admit.ts",
        "lib/http/readiness.ts",
        "lib/jobs/presence.ts",
        "lib/jobs/queue.ts",
        "lib/jobs/work-scope.ts",
        "lib/knowledge/ingest/embed-texts.ts",
        "lib/knowledge/ingest/ingest-large.ts",
        "lib/knowledge/ingest/ingest.ts",
        "lib/knowledge/ingest/re-embed.ts",
        "lib/members/account.ts",
        "lib/members/identity.ts",
        "lib/members/links.ts",
        "lib/members/redeem.ts",
        "lib/members/service.ts",
        "lib/members/sessions.ts",
        "lib/members/setup.ts",
        "lib/members/sign-in.ts",
        "lib/sample/sample.ts",
        "lib/worker/maintain.ts",
      ]
    `);
  });

  it("lists every file that opens the connection", () => {
    const opens = /import \{[^}]*\b(?<!type )(connection|connect|setConnection)\b[^}]*\} from "[^"]*\/client\.ts"/;
    expect(files.filter((file) => opens.test(readFileSync(file, "utf8"))).sort()).toMatchInlineSnapshot(`
      [
        "lib/db/migrate.ts",
        "lib/db/system/backup.ts",
        "lib/db/system/companies.ts",
        "lib/db/system/database.ts",
        "lib/db/system/identities.ts",
        "lib/db/system/jobs.ts",
        "lib/db/system/keys.ts",
        "lib/db/system/links.ts",
        "lib/db/system/meta.ts",
        "lib/db/system/models.ts",
        "lib/db/system/sessions.ts",
        "lib/db/system/tables.ts",
        "lib/db/system/users.ts",
        "lib/db/system/workers.ts",
        "lib/db/tenant.ts",
        "lib/testing/database.ts",
        "lib/testing/filled-company.ts",
        "lib/testing/global-setup.ts",
        "lib/testing/worker-process.ts",
      ]
    `);
  });
});

describe("nothing is left over", () => {
  const all = ["app", "components", "lib", "scripts", "bench", "e2e", "drizzle"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(tsx?|mjs)$/.test(name))
      .map((name) => join(folder, name)),
  );
  const texts = new Map(all.map((file) => [file, readFileSync(file, "utf8")]));
  const importers = Map.groupBy(
    all.flatMap((file) => importsOf(file).map((module) => ({ file, module }))),
    ({ module }) => module,
  );
  /** The framework and the tools load these by their names; the tables are exported on through their index. */
  const isEntry = (file: string) =>
    /^app\/.*\b(page|layout|route|error|not-found|forbidden|global-error|loading)\.tsx?$|\bconfig\.ts$|^lib\/db\/schema\/|\/global-setup\.ts$/.test(
      file,
    );

  it("exports nothing that no other file imports", () => {
    const unused = all
      .filter((file) => !isEntry(file))
      .flatMap((file) =>
        [...(texts.get(file) ?? "").matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)]
          .map(([, name = ""]) => name)
          .filter(
            (name) =>
              !importers.get(file)?.some((user) => new RegExp(`\\b${name}\\b`).test(texts.get(user.file) ?? "")),
          )
          .map((name) => `${file}: ${name}`),
      );
    expect(unused).toEqual([]);
  });
});
