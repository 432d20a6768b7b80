import { afterEach, expect, test, vi } from "vitest";
import { scriptedServers, sendJson } from "../testing/scripted-server.ts";
import { Ragstone, RagstoneError, type RagstoneOptions } from "./index.ts";
import packageJson from "./package.json" with { type: "json" };

const KEY = "ragstone_live_secret";
const FOUND = { results: [], total: 0, retrievalTimeMs: 1 };

const serve = scriptedServers();

function clientOf(baseUrl: string, options: RagstoneOptions = {}): Ragstone {
  return new Ragstone({ apiKey: KEY, baseUrl, ...options });
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

test("reads the environment, and takes a URL with or without /v1", async () => {
  const { url, received } = await serve(sendJson(200, FOUND));
  vi.stubEnv("RAGSTONE_API_KEY", KEY);
  vi.stubEnv("RAGSTONE_URL", url);
  await new Ragstone().retrieve({ queryText: "a" });
  for (const end of ["/", "/v1", "/v1/"]) await clientOf(url + end).retrieve({ queryText: "a" });
  await clientOf(`${url}/gateway/v1`).retrieve({ queryText: "a" });
  expect(received.map((each) => each.url)).toEqual([
    ...Array.from({ length: 4 }, () => "/v1/api/rag/retrieve"),
    "/gateway/v1/api/rag/retrieve",
  ]);
});

test.each([
  [{ apiKey: "" }, "The API key is missing. Pass apiKey, or set RAGSTONE_API_KEY."],
  [{ apiKey: `${KEY}\n` }, "The API key contains characters that keys never have, such as a space. Copy it again."],
  [{ baseUrl: "" }, "The server's URL is missing. Pass baseUrl, or set RAGSTONE_URL."],
  [{ baseUrl: "rag.example.com" }, 'baseUrl must be a URL such as "https://rag.example.com".'],
  [{ baseUrl: "https://a.example/v1/api" }, 'baseUrl must end with the host or with /v1, not with "/v1/api".'],
  [{ baseUrl: "https://a.example?x" }, "baseUrl must not have a user name, a query string or a fragment."],
  [{ timeoutMs: 0 }, "timeoutMs must be more than 0."],
  [{ maxRetries: -1 }, "maxRetries must be 0 or more."],
])("refuses %j", (options, message) => {
  expect(() => clientOf("https://a.example", options)).toThrow(new RagstoneError(message));
});

test("refuses to start in a browser", () => {
  vi.stubGlobal("window", {});
  vi.stubGlobal("document", {});
  expect(() => clientOf("https://a.example")).toThrow("An API key must not be used in a browser.");
});

test("has the version of the package", async () => {
  const { url, received } = await serve(sendJson(200, FOUND));
  await clientOf(url).status();
  expect(received[0]?.headers["user-agent"]).toBe(`ragstone-client/${packageJson.version}`);
});
