import { gzipSync } from "node:zlib";
import type { Random } from "./random.ts";

/** Bytes to send over a new connection. */
export interface RawRequest {
  name: string;
  bytes: Buffer;
  /** `HEAD` or any other method: only responses to `HEAD` have no body. */
  method: string;
  /** Whether the request asks the server to close the connection. */
  closes: boolean;
  /** Whether the server has to wait for more bytes, so that no response needs to come while the client stays. */
  isOpen: boolean;
}

interface Target {
  host: string;
  token: string;
  /** Paths of the OpenAPI document, and some unknown ones. */
  paths: readonly [string, ...string[]];
  /** An operation that reads a body. */
  withBody: { method: string; path: string };
}

const METHODS = [
  "TRACE",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "HEAD",
  "PROPFIND",
  "CONNECT",
  "LOCK",
  "M-SEARCH",
  "NONSENSE",
  "get",
  "\x00",
] as const;
const BOMB = gzipSync(Buffer.alloc(50 * 1024 * 1024));
const DEEP = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
const OK = '{"queryText":"When does the museum open?"}';

/** Bodies that are not valid JSON, or that parsers read differently. */
const BODIES: Record<string, string | Buffer> = {
  truncated: '{"queryText":"when',
  "nested deeply": DEEP,
  "array nested deeply": `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
  "number too large": '{"queryText":"x","limit":1e999,"scoreThreshold":1e308}',
  "NaN as text": '{"queryText":"x","scoreThreshold":NaN}',
  "escaped surrogates": '{"queryText":"\\ud800 \\udfff","filters":{"audience":"\\ud800"}}',
  "escaped NUL": '{"queryText":"a\\u0000b","companyName":"\\u0000"}',
  "raw NUL": '{"queryText":"a\0b"}',
  "surrogates as bytes": Buffer.concat([
    Buffer.from('{"queryText":"'),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from('"}'),
  ]),
  "invalid UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  "key of a megabyte": `{"${"k".repeat(1_000_000)}":1,"queryText":"x"}`,
  "many keys": `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(",")},"queryText":"x"}`,
  prototype: '{"__proto__":{"limit":1},"constructor":{"prototype":{"x":1}},"queryText":"x","filters":{"__proto__":1}}',
  "keys twice": '{"queryText":"x","queryText":"y","limit":1,"limit":100,"limit":"x"}',
  "byte order mark": `\ufeff${OK}`,
  "UTF-16": Buffer.from(`\ufeff${OK}`, "utf16le"),
  "too large": `{"queryText":"x","clientLogs":"${"x".repeat(1_100_000)}"}`,
  "no object": "[]",
  empty: "",
  comment: '{"queryText":"x"/* */}',
};

const HEADERS: Record<string, string> = {
  "compressed bomb": "Content-Encoding: gzip",
  "foreign charset": "Content-Type: application/json; charset=utf-7",
  "foreign type": "Content-Type: multipart/form-data; boundary=x",
  "many headers": Array.from({ length: 300 }, (_, index) => `X-Flood-${index}: ${"x".repeat(10)}`).join("\r\n"),
  "long header": `X-Long: ${"x".repeat(20_000)}`,
  "NUL in a header": "X-Odd: a\0b",
  "line end in a header": "X-Odd: a\rb",
  expectation: "Expect: the-unexpected",
  "expectation of 100": "Expect: 100-continue",
  upgrade: "Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
  "framework's own": "Next-Action: x\r\nRSC: 1\r\nX-Middleware-Subrequest: middleware\r\nX-Matched-Path: /knowledge",
  "forwarded elsewhere": "X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: javascript",
  "range and conditions": "Range: bytes=0-1\r\nIf-None-Match: *\r\nIf-Match: x",
};

const KEYS = [
  "",
  "Bearer",
  "Bearer x",
  "Basic eDp4",
  "bearer \ud83d\ude00",
  `Bearer ${"k".repeat(8_192)}`,
  "Bearer a\r\nAuthorization: Bearer b",
] as const;
const PATHS = [
  "/v1/api/%00",
  "/v1/api/%ff",
  "/v1//api/status",
  "/v1/api/../api/status",
  "/v1/api/status/",
  "/v1/api/status%2f",
  "/v1/\\api",
  "http://evil.example/v1/api/status",
  "*",
  "/v1/api/status?x=%",
  `/v1/${"a/".repeat(3_000)}`,
  "/v1/api/status#x",
  "v1",
] as const;

/** One request that no client library would send. */
export function rawRequest(random: Random, { host, token, paths, withBody }: Target): RawRequest {
  const auth = `Authorization: Bearer ${token}`;
  const head = (line: string, ...headers: string[]) =>
    [`${line} HTTP/1.1`, `Host: ${host}`, ...headers, "", ""].join("\r\n");
  const post = (headers: string[], body: string | Buffer) =>
    Buffer.concat([
      Buffer.from(head(`${withBody.method} ${withBody.path}`, auth, ...headers), "latin1"),
      Buffer.from(body),
    ]);
  const withLength = (body: string | Buffer, ...more: string[]) =>
    post(["Connection: close", ...more, `Content-Length: ${Buffer.byteLength(body)}`], body);
  const kinds: [string, () => RawRequest][] = [
    ["body", () => named("body", random, BODIES, (body) => withLength(body, "Content-Type: application/json"))],
    [
      "header",
      () => named("header", random, HEADERS, (header) => withLength(header.includes("gzip") ? BOMB : OK, header)),
    ],
    ["method", () => text(`method`, head(`${random.pick(METHODS)} ${random.pick(paths)}`, auth, "Connection: close"))],
    ["path", () => text("path", head(`GET ${random.pick(PATHS)}`, auth, "Connection: close"))],
    ["key", () => text("key", head("GET /v1/api/status", `Authorization: ${random.pick(KEYS)}`, "Connection: close"))],
    ["framing", () => framing(random, post)],
    ["line ends", () => ({ ...text("line ends", "\r\n\r\n\r\n"), isOpen: true })],
    [
      "line",
      () =>
        text(
          "line",
          random.pick([
            "GET /v1/api/status\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "GET /v1/api/status HTTP/9.9\r\n\r\n",
            "\x16\x03\x01\x02\x00\x01",
            `GET /${"x".repeat(20_000)} HTTP/1.1\r\n\r\n`,
            "GET /v1/api/status HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET /v1/api/status HTTP/1.1\n\n",
          ]),
        ),
    ],
    [
      "pipeline",
      () =>
        text("pipeline", head("GET /v1/api/status", auth).repeat(10) + head("GET /v1/nothing", "Connection: close")),
    ],
  ];
  const [, build] = kinds[random.between(0, kinds.length - 1)] ?? [];
  return build?.() ?? text("nothing", "");
}

/** The cases of `framing` that are the beginning of a request. */
const OPEN = ["length too long", "chunk of a huge size", "chunks without an end"];

/** Wrong lengths, invalid chunks, and both together. */
function framing(random: Random, post: (headers: string[], body: string) => Buffer): RawRequest {
  const chunked = "Transfer-Encoding: chunked";
  const smuggled = "0\r\n\r\nGET /v1/api/status HTTP/1.1\r\nHost: x\r\n\r\n";
  const cases: Record<string, [string[], string]> = {
    "length too long": [["Content-Length: 5000"], OK],
    "length too short": [["Content-Length: 10"], OK],
    "length below zero": [["Content-Length: -1"], OK],
    "length of words": [["Content-Length: ten"], OK],
    "two lengths": [["Content-Length: 10", `Content-Length: ${OK.length}`], OK],
    "length and chunks": [[chunked, "Content-Length: 5"], smuggled],
    "chunks twice": [[chunked, chunked], smuggled],
    "chunks by another name": [["Transfer-Encoding: x, chunked"], smuggled],
    "chunks not last": [["Transfer-Encoding: chunked, identity"], smuggled],
    "chunk without a size": [[chunked], `zz\r\n${OK}\r\n0\r\n\r\n`],
    "chunk of a huge size": [[chunked], `ffffffffffffffff\r\n${OK}`],
    "chunk with a long extension": [[chunked], `5;${"x".repeat(50_000)}\r\n${OK}`],
    "chunks without an end": [[chunked], `${OK.length.toString(16)}\r\n${OK}\r\n`],
    "chunks of one byte": [
      [chunked, "Connection: close"],
      `${[...OK].map((byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`,
    ],
    trailers: [
      [chunked, "Connection: close"],
      `${OK.length.toString(16)}\r\n${OK}\r\n0\r\nAuthorization: Bearer x\r\n\r\n`,
    ],
  };
  const request = named("framing", random, cases, ([headers, body]) => post(headers, body));
  return { ...request, isOpen: OPEN.some((name) => request.name.endsWith(name)) };
}

function named<Case>(
  kind: string,
  random: Random,
  cases: Record<string, Case>,
  build: (given: Case) => Buffer,
): RawRequest {
  const all = Object.entries(cases);
  const [name, given] = all[random.between(0, all.length - 1)] ?? [];
  if (name === undefined || given === undefined) throw new Error(`There are no cases of ${kind}`);
  return requestOf(`${kind}: ${name}`, build(given));
}

function text(name: string, given: string): RawRequest {
  return requestOf(`${name}: ${JSON.stringify(given.split("\r\n", 1)[0]?.slice(0, 60))}`, Buffer.from(given, "latin1"));
}

function requestOf(name: string, bytes: Buffer): RawRequest {
  const method = bytes.subarray(0, 5).toString("latin1") === "HEAD " ? "HEAD" : "GET";
  return { name, bytes, method, closes: bytes.includes("\r\nConnection: close\r\n"), isOpen: false };
}
