import { rmSync } from "node:fs";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptedServers, sendJson } from "../../testing/scripted-server.ts";
import { ConnectionError, Ragstone } from "../index.ts";
import type { Ingestion } from "./ingestion.ts";
import { sendFiles } from "./send-files.ts";

const serve = scriptedServers();
const NOTHING_KNOWN = { missing: [], changed: [], unchanged: [], pending: [], extra: [], hasMoreExtra: false };

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "send-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileOf(name: string) {
  const file = { path: path.join(folder, name), sourceId: name };
  await writeFile(file.path, "Text");
  return file;
}

function newIngestion(): Ingestion {
  return { options: {}, accepted: new Map(), unchanged: new Map(), failed: [], policyRefusals: 0 };
}

/** A client that runs this before it sends a file. */
function clientOf(baseUrl: string, beforeFile: () => Promise<void>): Ragstone {
  return new Ragstone({
    apiKey: "ragstone_live_secret",
    baseUrl,
    maxRetries: 0,
    fetch: async (url, init) => {
      if (init?.method === "PUT") await beforeFile();
      return fetch(url, init);
    },
  });
}

test("a file that is gone when it is sent is listed as failed, and the others are sent", async () => {
  const files = [await fileOf("gone.md"), await fileOf("kept.md")];
  const { url } = await serve(
    (response, message) => {
      rmSync(path.join(folder, "gone.md"));
      sendJson(200, NOTHING_KNOWN)(response, message);
    },
    sendJson(202, { sourceId: "kept.md" }),
  );
  const ingestion = newIngestion();
  await sendFiles(
    clientOf(url, async () => {}),
    files,
    {},
    ingestion,
  );
  expect([...ingestion.accepted.keys()]).toEqual(["kept.md"]);
  expect(ingestion.failed).toEqual([{ path: "gone.md", reason: expect.stringContaining("ENOENT") }]);
});

test("a file that changes while it is sent is read once more, and then listed as failed", async () => {
  const file = await fileOf("log.md");
  let changes = 1;
  const change = async () => {
    if (changes-- > 0) await appendFile(file.path, " and more");
  };
  const { url, received } = await serve(sendJson(200, NOTHING_KNOWN), sendJson(202, { sourceId: "log.md" }));
  const once = newIngestion();
  await sendFiles(clientOf(url, change), [file], {}, once);
  expect([[...once.accepted.keys()], once.failed]).toEqual([["log.md"], []]);
  expect(received.at(-1)?.body).toBe("Text and more");

  changes = 2;
  const often = newIngestion();
  await sendFiles(clientOf((await serve(sendJson(200, NOTHING_KNOWN))).url, change), [file], {}, often);
  expect(often.failed).toEqual([
    { path: "log.md", reason: "The file changed while it was sent. Repeat the command to send it." },
  ]);
});

test("a lost connection ends the ingest, because no file can be sent", async () => {
  const file = await fileOf("a.md");
  const { url } = await serve(sendJson(200, NOTHING_KNOWN), (response) => response.destroy());
  const sending = sendFiles(
    clientOf(url, async () => {}),
    [file],
    {},
    newIngestion(),
  );
  await expect(sending).rejects.toBeInstanceOf(ConnectionError);
});
