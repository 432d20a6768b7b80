import { openAsBlob } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedServers, sendJson } from "../testing/scripted-server.ts";
import { Ragstone } from "./index.ts";

const ACCEPTED = { id: "1", sourceId: "a.md" };
const serve = scriptedServers();

function clientOf(baseUrl: string): Ragstone {
  return new Ragstone({ apiKey: "ragstone_live_secret", baseUrl });
}

test("short labels go into the query string, and the body is the file", async () => {
  const { url, received } = await serve(sendJson(202, ACCEPTED));
  const given = { sourceId: "a.md", file: "Text", audience: [], path: ["A", "B"], metadata: { page: 3 } };
  await clientOf(url).sources.putFile(given, { ifMatch: "v1" });
  expect(received).toMatchObject([
    {
      url: "/v1/api/sources/file?sourceId=a.md&audience=&path=A&path=B&metadata=%7B%22page%22%3A3%7D",
      headers: { "content-type": "application/octet-stream", "content-length": "4", "if-match": '"v1"' },
      body: "Text",
    },
  ]);
});

test("long labels go into a form, even when the request is sent again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "file-call-"));
  await writeFile(join(folder, "a.csv"), "question,answer\n");
  const file = await openAsBlob(join(folder, "a.csv"));
  const unavailable = sendJson(503, { error: "ServiceUnavailable", message: "Starting." }, { "Retry-After": "0" });
  const { url, received } = await serve(unavailable, sendJson(202, { accepted: [], failed: [] }));
  const labels = { sourceId: "a.csv", audience: [], path: Array(20).fill("Ж".repeat(200)) };
  await clientOf(url).sources.putQuestions({ ...labels, file }, { widen: true });
  await rm(folder, { recursive: true });
  expect(received).toHaveLength(2);
  for (const { url, headers, body } of received) {
    expect(url).toBe("/v1/api/sources/file?as=questions&widen=true");
    expect(headers).toMatchObject({
      "content-type": expect.stringMatching(/^multipart\/form-data; boundary=/),
      // some proxies refuse a body of unknown length
      "content-length": String(Buffer.byteLength(body)),
    });
    expect(body).toContain(JSON.stringify(labels));
    expect(body).toContain("\r\n\r\nquestion,answer\n\r\n");
  }
});

test("a fetch without the global FormData can send the form, too", async () => {
  let sent: RequestInit = {};
  const otherFetch: typeof fetch = async (_, init = {}) => {
    sent = init;
    return Response.json({ accepted: [], failed: [] });
  };
  const client = new Ragstone({ apiKey: "ragstone_live_secret", baseUrl: "http://localhost", fetch: otherFetch });
  const labels = { sourceId: "a.csv", metadata: { note: "Ж".repeat(2_000) } };
  await client.sources.putQuestions({ ...labels, file: new Uint8Array([1, 2]) });
  const { body, headers } = sent;
  if (!(body instanceof Blob)) throw new Error("the body is not a blob");
  const form = await new Response(body, { headers: new Headers(headers) }).formData();
  expect(JSON.parse(String(form.get("labels")))).toEqual(labels);
  expect(form.get("file")).toMatchObject({ size: 2 });
});
