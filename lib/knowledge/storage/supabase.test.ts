import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeEach, expect, test } from "vitest";
import { type SupabaseSettings, supabaseObjectStore } from "./supabase.ts";

/** Speaks the part of Supabase Storage's HTTP API that originals need. */
const KEY = "service-role-key";
const key = "0192aaaa-0000-7000-8000-000000000001/0192bbbb-0000-7000-8000-000000000002";
const buckets = new Map<string, { public: boolean; objects: Map<string, Buffer> }>();
let fault: ((response: ServerResponse) => void) | null = null;
let requests: string[] = [];

interface Answer {
  status: number;
  body: unknown;
}

const server = createServer(async (request, response) => {
  requests.push(`${request.method} ${request.url}`);
  const body = await sentFile(request);
  if (fault !== null) return fault(response);
  const allowed = request.headers.authorization === `Bearer ${KEY}`;
  send(response, allowed ? answer(request, body) : refusal(403, "invalid signature"));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => server.close());

/** A whole file comes as a form, its length told before. */
async function sentFile(request: IncomingMessage): Promise<Buffer> {
  const body = await buffer(request);
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) return body;
  expect(request.headers["content-length"]).toBe(String(body.byteLength));
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  for (const value of form.values()) if (value instanceof File) return Buffer.from(await value.arrayBuffer());
  throw new Error("no file in the form");
}

function answer(request: IncomingMessage, body: Buffer): Answer {
  const [, what = "", name = "", ...rest] = (request.url ?? "").replace("/storage/v1", "").split("/");
  if (what === "object" && name === "info") {
    const [holder = "", ...key] = rest;
    const known = buckets.get(holder)?.objects.has(key.join("/"));
    return known ? { status: 200, body: { name: key.join("/") } } : refusal(400, "Object not found", "404");
  }
  const bucket = buckets.get(name);
  if (what === "bucket" && request.method === "POST") {
    const asked: { name: string; public: boolean } = JSON.parse(body.toString());
    buckets.set(asked.name, { public: asked.public, objects: new Map() });
    return { status: 200, body: { name: asked.name } };
  }
  if (bucket === undefined) return refusal(400, "Bucket not found", "404");
  if (what === "bucket") return { status: 200, body: { id: name, name, public: bucket.public } };
  if (request.method === "POST") {
    bucket.objects.set(rest.join("/"), body);
    return { status: 200, body: { Id: "1", Key: `${name}/${rest.join("/")}` } };
  }
  if (request.method === "DELETE") {
    const { prefixes }: { prefixes: string[] } = JSON.parse(body.toString());
    const gone = prefixes.filter((each) => bucket.objects.delete(each));
    return { status: 200, body: gone.map((each) => ({ name: each })) };
  }
  const object = bucket.objects.get(rest.join("/"));
  return object === undefined ? refusal(400, "Object not found", "404") : { status: 200, body: object };
}

function refusal(status: number, message: string, statusCode = String(status)): Answer {
  return { status, body: { statusCode, error: message, message } };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const type = Buffer.isBuffer(body) ? "application/octet-stream" : "application/json";
  response.writeHead(status, { "content-type": type }).end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
}

function storeOf(settings: Partial<SupabaseSettings> = {}, timeoutMs = 5_000) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return supabaseObjectStore({ url, serviceRoleKey: KEY, bucket: "originals", ...settings }, timeoutMs);
}

beforeEach(() => {
  buckets.clear();
  fault = null;
  requests = [];
});

test("makes the bucket, private, then stores, replaces, reads and deletes", async () => {
  const store = storeOf();
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  await store.put(key, Buffer.from("one"));
  await store.put(key, bytes);
  expect(buckets.get("originals")?.public).toBe(false);
  expect(requests.filter((request) => request.includes("/bucket"))).toHaveLength(2);
  expect(await store.get(key)).toEqual(bytes);
  expect(await store.has(key)).toBe(true);
  await store.delete(key);
  await store.delete(key);
  expect(await store.has(key)).toBe(false);
  await expect(store.get(key)).rejects.toThrow(`The original ${key} is missing from the bucket "originals".`);
});

test("stores a file as it lies on the disk", async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), "store-")), "given");
  const bytes = randomBytes(3_000_000);
  await writeFile(file, bytes);
  const store = storeOf();
  await store.put(key, { path: file });
  await store.put(key, { path: file });
  expect(Buffer.from(await store.get(key)).equals(bytes)).toBe(true);
  await rm(path.dirname(file), { recursive: true });
});

test("takes a bucket that is there, and refuses a public one", async () => {
  buckets.set("originals", { public: false, objects: new Map() });
  await storeOf().put(key, Buffer.from("x"));
  expect(requests.some((request) => request === "POST /storage/v1/bucket")).toBe(false);
  buckets.set("open", { public: true, objects: new Map() });
  await expect(storeOf({ bucket: "open" }).put(key, Buffer.from("x"))).rejects.toThrow('The bucket "open" is public');
});

test("says what is wrong: the key, the server, its answer, its silence", async () => {
  await expect(storeOf({ serviceRoleKey: "wrong" }).put(key, Buffer.from("x"))).rejects.toThrow("refused the key");
  await expect(storeOf({ url: "http://127.0.0.1:1" }).get(key)).rejects.toThrow("does not respond. Check SUPABASE_URL");
  fault = (response) => send(response, refusal(500, "disk full"));
  await expect(storeOf().get(key)).rejects.toThrow("cannot be read in the bucket");
  fault = (response) => response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>");
  await expect(storeOf().put(key, Buffer.from("x"))).rejects.toThrow(
    /bucket "originals" of Supabase Storage|does not respond/,
  );
  fault = (response) => response.destroy();
  await expect(storeOf().delete(key)).rejects.toThrow("does not respond");
  fault = () => {};
  await expect(storeOf({}, 200).get(key)).rejects.toThrow("does not respond");
});

test("after a failure the next put tries again", async () => {
  const store = storeOf();
  fault = (response) => send(response, refusal(500, "away"));
  await expect(store.put(key, Buffer.from("x"))).rejects.toThrow();
  fault = null;
  await store.put(key, Buffer.from("x"));
  expect(Buffer.from(await store.get(key)).toString()).toBe("x");
});

test("no key leaves the company's folder", async () => {
  await expect(storeOf().get("../other/x")).rejects.toThrow("is not a key");
  expect(requests).toEqual([]);
});
