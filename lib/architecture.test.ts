import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { importsOf, sourceFilesIn } from "./testing/source-files.ts";

const files = ["app", "components", "lib"].flatMap(sourceFilesIn);

function offenders(from: (file: string) => boolean, to: (module: string) => boolean): string[] {
  return files.filter(from).flatMap((file) =>
    importsOf(file)
      .filter(to)
      .map((module) => `${file} → ${module}`),
  );
}

/** The modules that can be reached from one, over at least one import. */
function reachableFrom(start: string, imports: Map<string, Iterable<string>>): Set<string> {
  const seen = new Set<string>();
  const open = [...(imports.get(start) ?? [])];
  for (let module = open.pop(); module !== undefined; module = open.pop()) {
    if (seen.has(module)) continue;
    seen.add(module);
    open.push(...(imports.get(module) ?? []));
  }
  return seen;
}

/** `lib/<folder>` of a file in it, null for the files beside the folders. */
function folderOf(module: string): string | null {
  return /^(lib\/[a-z-]+)\//.exec(module)?.[1] ?? null;
}

/** The folders below all domains. They import no domain. */
const FOUNDATION = ["ai", "db", "jobs", "language", "outage", "search-index", "storage"];
const EDGE = ["adapters", "auth", "http", "openapi"];

/** The layer of a module of the project, null for a package. */
function layerOf(module: string): string | null {
  const [top, folder = ""] = module.split("/");
  if (top === "app" || top === "components") return top;
  if (["scripts", "bench", "e2e", "drizzle"].includes(top ?? "")) return "tools";
  if (top !== "lib") return null;
  if (folderOf(module) === null) return "base";
  if (FOUNDATION.includes(folder)) return "foundation";
  // published as a package of its own
  if (folder === "client") return "client";
  if (EDGE.includes(folder)) return "edge";
  return folder === "worker" || folder === "testing" ? folder : "domain";
}

const UP_TO_DOMAINS = ["base", "foundation", "domain"];
const UP_TO_EDGE = [...UP_TO_DOMAINS, "edge"];

describe("imports between layers", () => {
  it.each([
    { layer: "base", below: ["base"] },
    { layer: "client", below: ["client"] },
    { layer: "foundation", below: ["base", "foundation"] },
    { layer: "domain", below: UP_TO_DOMAINS },
    { layer: "edge", below: UP_TO_EDGE },
    { layer: "worker", below: [...UP_TO_DOMAINS, "worker"] },
    { layer: "testing", below: [...UP_TO_DOMAINS, "worker", "testing"] },
    { layer: "components", below: [...UP_TO_EDGE, "components"] },
    { layer: "app", below: [...UP_TO_EDGE, "components", "app"] },
  ])("go only down, from $layer", ({ layer, below }) => {
    const isAbove = (module: string) => ![null, ...below].includes(layerOf(module));
    expect(files.some((file) => layerOf(file) === layer)).toBe(true);
    expect(offenders((file) => layerOf(file) === layer, isAbove)).toEqual([]);
  });

  it.each([
    { folder: "lib/db", uses: [] as string[] },
    { folder: "lib/jobs", uses: ["lib/db"] },
  ])("go from $folder only to $uses and the files beside the folders", ({ folder, uses }) => {
    const others = (module: string) => ![null, folder, ...uses].includes(folderOf(module));
    expect(offenders((file) => folderOf(file) === folder, others)).toEqual([]);
  });

  it("form no cycle of files, including type and dynamic imports", () => {
    const imports = new Map(files.map((file) => [file, importsOf(file)]));
    expect(files.filter((file) => reachableFrom(file, imports).has(file))).toEqual([]);
  });

  it("form no cycle of folders", () => {
    const between = files.flatMap((file) =>
      importsOf(file).flatMap((module) => {
        const [from, to] = [folderOf(file), folderOf(module)];
        return from && to && from !== to ? { from, to, example: `${file} → ${module}` } : [];
      }),
    );
    const imports = new Map<string, string[]>();
    for (const { from, to } of between) imports.set(from, [...(imports.get(from) ?? []), to]);
    const cycles = between.filter(({ from, to }) => reachableFrom(to, imports).has(from));
    const pairs = new Map(cycles.map(({ from, to, example }) => [`${from} → ${to}`, example]));
    expect(Object.fromEntries(pairs)).toEqual({});
  });

  it("go from the client to no package but its optional peers", () => {
    const foreign = (module: string) => /^(?!lib\/|node:|ai$|@langchain\/core\/)/.test(module);
    expect(offenders((file) => file.startsWith("lib/client/"), foreign)).toEqual([]);
  });

  it("go to the framework only from lib/http and lib/auth", () => {
    const edge = /^lib\/(http|auth)\//;
    const framework = (module: string) => /^(next|next-auth|react)(\/|$)/.test(module);
    expect(offenders((file) => file.startsWith("lib/") && !edge.test(file), framework)).toEqual([]);
  });
});

describe("access to the data", () => {
  it("with SQL is only in lib", () => {
    const sql = (module: string) => /^(postgres|drizzle-orm)(\/|$)|^lib\/db\/(client|schema)|queries\.ts$/.test(module);
    expect(offenders((file) => !file.startsWith("lib/"), sql)).toEqual([]);
  });

  it("with queries.ts is only in its own folder", () => {
    const foreign = files
      .filter((file) => file.startsWith("lib/"))
      .flatMap((file) =>
        importsOf(file)
          .filter((module) => /^lib\/[a-z-]+\/queries\.ts$/.test(module) && module.split("/")[1] !== file.split("/")[1])
          .map((module) => `${file} → ${module}`),
      );
    expect(foreign).toEqual([]);
  });

  it("without a company is only in these files", () => {
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
        "lib/knowledge/ingest/embed-missing.ts",
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
        "lib/search-index/write-chunks.ts",
        "lib/worker/maintain.ts",
      ]
    `);
  });

  it("through the connection is only in lib/db", () => {
    const opens = /import \{[^}]*\b(?<!type )(connection|connect|setConnection)\b[^}]*\} from "[^"]*\/client\.ts"/;
    const others = [...files, ...sourceFilesIn("scripts")].filter((file) => !/^lib\/(db|testing)\//.test(file));
    // tries a server before anything else uses it
    const exceptions = ["scripts/serve/check-database.ts"];
    expect(others.filter((file) => opens.test(readFileSync(file, "utf8")))).toEqual(exceptions);
  });

  it("that changes what retrieval returns is only in these files, which give the company a new stamp", () => {
    const tables = "(?:sources|sourceVersions|versionChunks|chunks|lexicalBlocks|embeddings|companies)";
    const served = new RegExp(
      `update\\(${tables}\\)|update (?:\\$\\{${tables}\\}|ragstone\\.(?:sources|source_versions|version_chunks|chunks|lexical_blocks|embeddings|companies)\\b)`,
    );
    const matching = (pattern: RegExp) =>
      files.filter((file) => !file.startsWith("lib/testing/") && pattern.test(readFileSync(file, "utf8"))).sort();
    expect(matching(served)).toMatchInlineSnapshot(`
      [
        "lib/companies/queries.ts",
        "lib/db/system/backup.ts",
        "lib/db/tenant.ts",
        "lib/knowledge/adopt-attachments.ts",
        "lib/knowledge/ingest/clean-up.ts",
        "lib/knowledge/ingest/ingest.ts",
        "lib/knowledge/ingest/purge.ts",
        "lib/knowledge/ingest/re-embed.ts",
        "lib/knowledge/ingest/swap.ts",
        "lib/knowledge/queries.ts",
        "lib/knowledge/restore.ts",
        "lib/knowledge/service.ts",
        "lib/knowledge/verify/verify.ts",
        "lib/retrieval-settings/service.ts",
        "lib/score-calibration/service.ts",
        "lib/search-index/compact.ts",
        "lib/search-index/lexical-index.ts",
        "lib/search-index/live-chunks.ts",
        "lib/search-index/move-chunks.ts",
        "lib/search-index/vector-graph.ts",
        "lib/search-index/write-chunks.ts",
        "lib/test-questions/run-tests.ts",
      ]
    `);
    expect(matching(/\bchangeContent\(/)).toMatchInlineSnapshot(`
      [
        "lib/db/tenant.ts",
        "lib/jobs/work-scope.ts",
        "lib/knowledge/change-in-batches.ts",
        "lib/knowledge/ingest/re-embed.ts",
        "lib/knowledge/ingest/swap.ts",
        "lib/knowledge/intake/accept.ts",
        "lib/knowledge/intake/edit-content.ts",
        "lib/knowledge/intake/relabel.ts",
        "lib/knowledge/uploads/attach.ts",
        "lib/knowledge/verify/import-verifications.ts",
        "lib/knowledge/verify/verify.ts",
        "lib/retrieval-settings/service.ts",
        "lib/score-calibration/service.ts",
        "lib/search-index/write-chunks.ts",
      ]
    `);
  });

  it("of jobs is only in the queue", () => {
    const usesJobs = /import \{[^}]*\bjobs\b[^}]*\} from "[^"]*\/schema\/index\.ts"/;
    const others = files.filter((file) => !/^lib\/(db|jobs)\//.test(file));
    // a company is deleted with the rows of every table
    expect(others.filter((file) => usesJobs.test(readFileSync(file, "utf8")))).toEqual(["lib/companies/queries.ts"]);
  });
});

describe("constants", () => {
  it("that are numbers, texts or lists of them have names in upper case", () => {
    const lowercase = /^(?:export )?const [a-z]\w*(?:: [^=]+)? =\s*(?:-?\d|"|`|\/[^/*]|\[["\d])/m;
    const all = [...files, ...["scripts", "bench", "e2e"].flatMap(sourceFilesIn)];
    expect(all.filter((file) => lowercase.test(readFileSync(file, "utf8")))).toEqual([]);
  });
});

describe("patterns", () => {
  it("have no groups with flags, which V8 forgets once a process has compiled a lot of code", () => {
    const withFlags = /\(\?(?:[ims]+(?:-[ims]*)?|-[ims]+):/;
    expect(files.filter((file) => withFlags.test(readFileSync(file, "utf8").replaceAll(/^ *\*.*$/gm, "")))).toEqual([]);
  });
});
