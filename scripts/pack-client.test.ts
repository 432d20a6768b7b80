import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import packageJson from "../lib/client/package.json" with { type: "json" };

const USER_FILE = `
import { type PutSource, Ragstone, type RetrieveResponse, ValidationError } from "@ragstone/client";

const ragstone = new Ragstone({ apiKey: "ragstone_live_1", baseUrl: "https://rag.example.com", maxRetries: 0 });
const source: PutSource = { sourceType: "document", sourceId: "a", title: "A", content: "Text" };

async function main(): Promise<string> {
  const { id } = await ragstone.sources.put(source, { ifMatch: "1" });
  await ragstone.sources.putFile({ sourceId: "a.pdf", file: new Blob(["text"]), audience: ["copilot"] });
  await ragstone.sources.waitUntilReady(id);
  for await (const { sourceId, chunks } of ragstone.sources.list({ prefix: "a" })) console.log(sourceId, chunks + 1);
  const found: RetrieveResponse = await ragstone.retrieve({ queryText: "a" });
  const answered = await ragstone.retrieve({ queryText: "a", returnMode: "ai_generated_answer" }).catch((error) => {
    if (error instanceof ValidationError) console.error(error.issues[0]?.path);
    throw error;
  });
  for await (const part of ragstone.stream({ queryText: "a" })) if (part.type === "text-delta") console.log(part.delta);
  // @ts-expect-error the question is required
  await ragstone.retrieve({ limit: 5 });
  // @ts-expect-error only an answer has the text for sure
  const text: string = found.aiGeneratedAnswer;
  return answered.aiGeneratedAnswer + text;
}
void main;
`;

const PEERS_FILE = `
import { Ragstone } from "@ragstone/client";
import { ragstoneTool } from "@ragstone/client/ai";
import { RagstoneRetriever } from "@ragstone/client/langchain";
import { generateText, type LanguageModel } from "ai";

async function main(model: LanguageModel) {
  const client = new Ragstone();
  await generateText({ model, prompt: "a", tools: { search: ragstoneTool(client, { limit: 3 }) } });
  return new RagstoneRetriever({ client, filters: { audience: "copilot" } }).invoke("a");
}
void main;
`;

const modules = resolve(import.meta.dirname, "../node_modules");
const bundler = ["--module", "esnext", "--moduleResolution", "bundler"];
const nodenext = ["--module", "nodenext"];
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ragstone-user-"));
  const installed = join(folder, "node_modules/@ragstone/client");
  mkdirSync(installed, { recursive: true });
  const tarball = execFileSync(process.execPath, ["scripts/pack-client.mjs", folder], { encoding: "utf8" }).trim();
  execFileSync("tar", ["xzf", tarball, "-C", installed, "--strip-components", "1"]);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "user.ts"), USER_FILE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the compiler prints; empty if the file is correct. */
function compile(compiler: string, file: string, options: string[]): string {
  const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022"];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(modules, compiler, "bin/tsc"), ...strict, "--lib", "es2022,dom,dom.iterable", ...options, file],
    { cwd: folder, encoding: "utf8" },
  );
  return stdout + stderr;
}

describe("the packed client", () => {
  test.each([
    ["typescript", "bundler", bundler],
    ["typescript", "nodenext", nodenext],
    ["typescript-5", "bundler", bundler],
    ["typescript-5", "nodenext", nodenext],
  ])("compiles in a user's file with %s and %s", (compiler, _name, options) => {
    expect(compile(compiler, "user.ts", options)).toBe("");
  });

  test("has types for the AI SDK and LangChain when they are installed", () => {
    for (const name of ["ai", "@langchain"]) symlinkSync(join(modules, name), join(folder, "node_modules", name));
    writeFileSync(join(folder, "peers.ts"), PEERS_FILE);
    expect(compile("typescript", "peers.ts", [...nodenext, "--skipLibCheck"])).toBe("");
  });

  test("runs, and its command line explains itself", () => {
    const script = 'import { Ragstone } from "@ragstone/client"; new Ragstone({ apiKey: "k" });';
    const options = { cwd: folder, encoding: "utf8" } as const;
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], options);
    expect(stderr).toContain("The server's URL is missing. Pass baseUrl, or set RAGSTONE_URL.");
    const bin = join(folder, "node_modules/@ragstone/client", packageJson.bin.ragstone);
    expect(execFileSync(bin, ["--help"], options)).toContain("ingest <files and folders…>");
    const refused = spawnSync(bin, ["search", "a"], { ...options, env: { ...process.env, RAGSTONE_API_KEY: "" } });
    expect([refused.status, refused.stdout, refused.stderr]).toEqual([
      1,
      "",
      "The API key is missing. Pass apiKey, or set RAGSTONE_API_KEY.\n",
    ]);
  });
});
