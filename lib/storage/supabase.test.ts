import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeEach, expect, test } from "vitest";
import { answerWith, BUCKET_KEY, refusal, startBucketServer } from "../testing/bucket-server.ts";
import { type SupabaseSettings, supabaseObjectStore } from "./supabase.ts";

const key = "0192aaaa-0000-7000-8000-000000000001/0192bbbb-0000-7000-8000-000000000002";
const server = await startBucketServer();
const { buckets, requests } = server;
afterAll(() => server.close());

function storeOf(settings: Partial<SupabaseSettings> = {}, idleMs = 5_000) {
  return supabaseObjectStore({ url: server.url, serviceRoleKey: BUCKET_KEY, bucket: "originals", ...settings }, idleMs);
}

beforeEach(() => {
  buckets.clear();
  server.fail(null);
  requests.length = 0;
});

test("creates a private bucket, then stores, replaces, reads and deletes", async () => {
  const store = storeOf();
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  await store.put(key, Buffer.from("one"));
  await store.put(key, bytes);
  expect(buckets.get("originals")?.public).toBe(false);
  expect(requests.filter((request) => request.includes("/bucket"))).toHaveLength(2);
  expect(await store.get(key)).toEqual(bytes);
  expect(await buffer(await store.open(key))).toEqual(Buffer.from(bytes));
  expect(await store.has(key)).toBe(true);
  await store.delete(key);
  await store.delete(key);
  expect(await store.has(key)).toBe(false);
  await expect(store.open(key)).rejects.toThrow(`The original ${key} is missing from the bucket "originals".`);
  await expect(store.get(key)).rejects.toThrow(`The original ${key} is missing from the bucket "originals".`);
});

test("deletes all objects of a company, and no other's", async () => {
  const store = storeOf();
  await store.deleteAll("a-1");
  await store.put("a-10/1", Buffer.from("x"));
  const own = Array.from({ length: 1_001 }, (_, i) => `a-1/${i}`);
  for (const each of own) buckets.get("originals")?.objects.set(each, Buffer.from("x"));
  await store.deleteAll("a-1");
  expect([...(buckets.get("originals")?.objects.keys() ?? [])]).toEqual(["a-10/1"]);
  server.fail((response) => answerWith(response, refusal(500, "away")));
  await expect(store.deleteAll("a-1")).rejects.toThrow("cannot be listed");
  await expect(store.deleteAll("../x")).rejects.toThrow("is not a valid folder");
});

test("stores a file from disk", async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), "store-")), "given");
  const bytes = randomBytes(3_000_000);
  await writeFile(file, bytes);
  const store = storeOf();
  await store.put(key, { path: file });
  await store.put(key, { path: file });
  expect(Buffer.from(await store.get(key)).equals(bytes)).toBe(true);
  await rm(path.dirname(file), { recursive: true });
});

test("uses an existing bucket and refuses a public one", async () => {
  buckets.set("originals", { public: false, objects: new Map() });
  await storeOf().put(key, Buffer.from("x"));
  expect(requests.some((request) => request === "POST /storage/v1/bucket")).toBe(false);
  buckets.set("open", { public: true, objects: new Map() });
  await expect(storeOf({ bucket: "open" }).put(key, Buffer.from("x"))).rejects.toThrow('The bucket "open" is public');
});

test("reports a wrong key, an unreachable server, an error response and a timeout", async () => {
  await expect(storeOf({ serviceRoleKey: "wrong" }).put(key, Buffer.from("x"))).rejects.toThrow("refused the key");
  await expect(storeOf({ url: "http://127.0.0.1:1" }).get(key)).rejects.toThrow("does not respond. Check SUPABASE_URL");
  server.fail((response) => answerWith(response, refusal(500, "disk full")));
  await expect(storeOf().get(key)).rejects.toThrow("cannot be read in the bucket");
  server.fail((response) => response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>"));
  await expect(storeOf().put(key, Buffer.from("x"))).rejects.toThrow(
    /bucket "originals" of Supabase Storage|does not respond/,
  );
  server.fail((response) => response.destroy());
  await expect(storeOf().delete(key)).rejects.toThrow("does not respond");
  server.fail(() => {});
  await expect(storeOf({}, 200).get(key)).rejects.toThrow("does not respond");
});

test("a transfer may take long while it goes on, or while its reader is slow", async () => {
  // long enough for a busy machine
  const store = storeOf({}, 3_000);
  await store.put(key, Buffer.from("x"));
  server.fail(async (response) => {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    for (let part = 0; part < 8; part++) {
      response.write("part");
      await setTimeout(450);
    }
    response.end();
  });
  expect(Buffer.from(await store.get(key)).toString()).toBe("part".repeat(8));
  const parts = (await store.open(key)).getReader();
  await setTimeout(3_300);
  let received = "";
  for (let part = await parts.read(); !part.done; part = await parts.read()) received += Buffer.from(part.value);
  expect(received).toBe("part".repeat(8));
});

test("a transfer that stops is given up", async () => {
  server.fail((response) => response.writeHead(200, { "content-type": "application/octet-stream" }).write("part"));
  await expect(buffer(await storeOf({}, 200).open(key))).rejects.toThrow("No answer within 200 ms");
});

test("the next put retries after a failure", async () => {
  const store = storeOf();
  server.fail((response) => answerWith(response, refusal(500, "away")));
  await expect(store.put(key, Buffer.from("x"))).rejects.toThrow();
  server.fail(null);
  await store.put(key, Buffer.from("x"));
  expect(Buffer.from(await store.get(key)).toString()).toBe("x");
});

test("no key can leave the company's folder", async () => {
  await expect(storeOf().get("../other/x")).rejects.toThrow("is not a valid key");
  expect(requests).toEqual([]);
});
