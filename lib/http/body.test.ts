import { expect, test, vi } from "vitest";
import { MAX_BODY_BYTES, readJsonObject } from "./body.ts";

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

function stream(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

const bytes = (text: string) => new TextEncoder().encode(text);
const object = bytes('{"a":1}');
const bodyOf = (size: number) => bytes(`{"a":"${"x".repeat(size - 8)}"}`);

test.each([
  undefined,
  "application/json",
  "APPLICATION/JSON",
  "application/json; charset=utf-8",
  'application/json;charset="UTF-8"',
  "application/json; charset=utf8; profile=x",
  "application/vnd.api+json",
  "application/ld+json; charset=utf-8",
])("reads Content-Type %s", async (type) => {
  const body = await readJsonObject(post(object, type === undefined ? {} : { "content-type": type }));
  expect(body).toEqual({ a: 1 });
});

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/jsonp",
  "application/json; charset=iso-8859-1",
  "application/json; charset=utf-16",
  "json",
])("refuses Content-Type %s", async (type) => {
  await expect(readJsonObject(post(object, { "content-type": type }))).rejects.toMatchObject({ statusCode: 415 });
});

test.each(["application/json", "application/x-ndjson"])("refuses a compressed body of the type %s", async (type) => {
  const compressed = post(new Uint8Array([0x1f, 0x8b]), { "content-type": type, "content-encoding": "gzip" });
  await expect(readJsonObject(compressed, { linesField: "lines" })).rejects.toMatchObject({ statusCode: 415 });
});

test("a body of 1 MiB is read, one byte more is not", async () => {
  expect(await readJsonObject(post(bodyOf(MAX_BODY_BYTES)))).toHaveProperty("a");
  await expect(readJsonObject(post(bodyOf(MAX_BODY_BYTES + 1)))).rejects.toMatchObject({ statusCode: 413 });
});

test("a body whose Content-Length is too large is not read", async () => {
  let pulled = 0;
  const body = new ReadableStream({
    pull(controller) {
      pulled++;
      controller.enqueue(object);
    },
  });
  const request = post(body, { "content-length": String(MAX_BODY_BYTES + 1) });
  await expect(readJsonObject(request)).rejects.toMatchObject({ statusCode: 413 });
  expect(pulled).toBeLessThanOrEqual(1);
});

test("a body without an end is cut off by size, whatever its Content-Length and type say", async () => {
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    cancel() {
      cancelled = true;
    },
  });
  const request = post(endless, { "content-length": "10", "content-type": "text/plain" });
  await expect(readJsonObject(request)).rejects.toMatchObject({ statusCode: 413 });
  expect(cancelled).toBe(true);
});

test.each([
  ["malformed JSON", bytes('{"a":')],
  ["nothing", bytes("")],
  ["blanks", bytes("  ")],
  ["NaN", bytes('{"a":NaN}')],
  ["an array", bytes("[]")],
  ["null", bytes("null")],
  ["text", bytes('"a"')],
  ["a million brackets", bytes("[".repeat(MAX_BODY_BYTES))],
  ["invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ["a cut character", new Uint8Array([0x22, 0xe2, 0x82])],
])("%s is 422 with an issue", async (_, body) => {
  await expect(readJsonObject(post(body))).rejects.toMatchObject({
    statusCode: 422,
    fields: { issues: [{ path: "", message: expect.any(String) }] },
  });
});

test("a byte order mark is ignored, and characters may be split between chunks", async () => {
  expect(await readJsonObject(post(new Uint8Array([0xef, 0xbb, 0xbf, ...object])))).toEqual({ a: 1 });
  const euro = bytes('{"a":"€"}');
  expect(await readJsonObject(post(stream(euro.slice(0, 7), euro.slice(7))))).toEqual({ a: "€" });
});

test("deep nesting is accepted", async () => {
  const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  expect(await readJsonObject(post(bytes(deep)))).toHaveProperty("a");
});

test("a body that is cut off is the caller's error", async () => {
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error("reset")) });
  await expect(readJsonObject(post(broken))).rejects.toMatchObject({ statusCode: 400 });
});

test("a larger body may take longer, a smaller one as long as one of 1 MiB", async () => {
  vi.useFakeTimers();
  const read = (bytesMax: number, pauseMs: number) =>
    readJsonObject(post(slowStream(["{", '"a"', ":", "1", "}"], pauseMs)), { bytesMax });
  const [large, usual, small] = [read(10 * MAX_BODY_BYTES, 5_000), read(MAX_BODY_BYTES, 5_000), read(1_000, 1_000)];
  const checks = [
    expect(large).resolves.toEqual({ a: 1 }),
    expect(usual).rejects.toMatchObject({ statusCode: 408 }),
    expect(small).resolves.toEqual({ a: 1 }),
  ];
  await vi.advanceTimersByTimeAsync(40_000);
  vi.useRealTimers();
  await Promise.all(checks);
});

function slowStream(parts: string[], pauseMs: number): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(bytes(part));
    },
  });
}
