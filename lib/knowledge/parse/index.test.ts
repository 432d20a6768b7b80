import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { closeParsers } from "./child-processes.ts";
import { makeDocx, makeEndlessPdf, wordParagraph } from "./fixtures.ts";
import { parseFile, parseMarkdownText, readSheets } from "./index.ts";
import { requestParse } from "./pool.ts";
import { TooManyRows } from "./wanted-rows.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parse-"));
});
afterAll(async () => {
  closeParsers();
  await rm(folder, { recursive: true, force: true });
});

const ROWS_FILE = { bytes: Buffer.from("a,b\n1,2\n"), fileName: "a.csv" };
const endless = { kind: "document", bytes: makeEndlessPdf(), fileName: "endless.pdf" } as const;

test("reads files from bytes and from a path, and any text as Markdown", async () => {
  const bytes = makeDocx(wordParagraph("Hello"));
  expect((await parseFile({ bytes, fileName: "a.docx" })).blocks).toEqual([{ kind: "paragraph", text: "Hello" }]);
  const file = path.join(folder, "a.md");
  await writeFile(file, "# Title\n\nText");
  expect((await parseFile({ path: file, fileName: "a.md" })).blocks).toHaveLength(2);
  expect((await parseMarkdownText("%PDF-1.4 is how a *PDF* begins")).blocks).toEqual([
    { kind: "paragraph", text: "%PDF-1.4 is how a PDF begins" },
  ]);
  expect((await parseMarkdownText(" ")).blocks).toEqual([]);
  expect((await readSheets(ROWS_FILE, { columns: ["b"], rowsMax: 1 }))[0]?.rows).toHaveLength(2);
});

test("a bad file fails with a reason, and the next file is read", async () => {
  await expect(parseFile({ bytes: Buffer.from("<html>"), fileName: "a.pdf" })).rejects.toThrow("its content is HTML");
  await expect(parseFile({ bytes: Buffer.from("<p></p>"), fileName: "a.html" })).rejects.toThrow("contains no text");
  const deep = Buffer.from(">".repeat(5_000));
  await expect(parseFile({ bytes: deep, fileName: "a.md" })).rejects.toThrow("nested too deeply");
  expect((await parseMarkdownText("fine")).blocks).toHaveLength(1);
});

test("a file with more rows than wanted is refused as such", async () => {
  const tooMany = readSheets(ROWS_FILE, { columns: ["b"], rowsMax: 0 });
  await expect(tooMany).rejects.toThrow(TooManyRows);
  await expect(tooMany).rejects.toThrow("The file has more than 0 rows. Split it into smaller files.");
});

test("a file over 50 MB is refused without reading it", async () => {
  const file = path.join(folder, "large.txt");
  await writeFile(file, "");
  await truncate(file, 51 * 1024 * 1024);
  await expect(parseFile({ path: file, fileName: "large.txt" })).rejects.toThrow("larger than 50 MB (51 MB)");
});

test("a file that takes too long fails, and the next file is read", async () => {
  await expect(requestParse(endless, undefined, { timeMs: 1_500 })).rejects.toThrow("takes longer than 2 seconds");
  expect((await parseMarkdownText("fine")).blocks).toHaveLength(1);
});

test("a file that uses too much processor time fails, whatever the elapsed time", async () => {
  const most = { timeMs: 600_000, cpuMs: 3_000 };
  await expect(requestParse(endless, undefined, most)).rejects.toThrow("takes longer than 3 seconds");
  expect((await parseMarkdownText("fine")).blocks).toHaveLength(1);
}, 120_000);

test("a file that needs too much memory fails, and the next file is read", async () => {
  const bytes = Buffer.from("<b>x</b>".repeat(3_000_000));
  await expect(parseFile({ bytes, fileName: "a.html" })).rejects.toThrow("too much memory");
  expect((await parseMarkdownText("fine")).blocks).toHaveLength(1);
}, 90_000);

test("an abort stops the work immediately", async () => {
  const stop = new AbortController();
  const work = requestParse(endless, stop.signal);
  stop.abort(new Error("enough"));
  await expect(work).rejects.toThrow("enough");
});

test("a waiting file is not loaded into memory", async () => {
  const gate = Promise.withResolvers<never>();
  const slow = [1, 2].map(() => requestParse(() => gate.promise));
  const file = path.join(folder, "late.md");
  const waiting = parseFile({ path: file, fileName: "late.md" });
  await writeFile(file, "# Written while it waits");
  gate.reject(new Error("not readable"));
  expect((await Promise.allSettled(slow)).every(({ status }) => status === "rejected")).toBe(true);
  expect((await waiting).blocks).toHaveLength(1);
});

test.skipIf(!existsSync("/proc/self/stat"))(
  "a busy child process ends when its parent is killed",
  async () => {
    const script = path.join(folder, "parent.mjs");
    const pool = new URL("./pool.ts", import.meta.url).href;
    await writeFile(path.join(folder, "endless.pdf"), endless.bytes);
    await writeFile(
      script,
      `import { readFileSync } from "node:fs";
     import { requestParse } from ${JSON.stringify(pool)};
     const bytes = readFileSync(new URL("./endless.pdf", import.meta.url));
     requestParse({ kind: "document", bytes, fileName: "endless.pdf" });
     console.log("started");`,
    );
    const parent = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
    await once(parent.stdout, "data");
    const [child = 0] = children(parent.pid ?? 0);
    // much longer than the start takes, so the child is reading the text
    await vi.waitFor(() => expect(processorSeconds(child)).toBeGreaterThan(4), 60_000);
    parent.kill("SIGKILL");
    await vi.waitFor(() => expect(isRunning(child)).toBe(false), 20_000);
  },
  90_000,
);

function children(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number).filter(isRunning);
}

function processorSeconds(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[13]) / 100;
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
