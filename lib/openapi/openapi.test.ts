import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { attributesUpdate } from "../adapters/openai/schema.ts";
import { statusResponse } from "../api-keys/schema.ts";
import { API_ERRORS } from "../http/error-schema.ts";
import { retrieveRequest, retrieveResponse } from "../retrieval/schema.ts";
import * as examples from "./examples.ts";
import { openApiDocument } from "./openapi.ts";
import { apiReference } from "./reference.ts";

const document = openApiDocument("https://knowledge.example.com");

/** Routes that one program calls by itself. */
const ADAPTERS = /^\/api\/dify\//;

test("the paths are those of the route files, without Dify", () => {
  const files = readdirSync("app/v1", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("route.ts"),
  );
  const paths = files.map((file) => `/${file.replace(/\/?route\.ts$/, "").replaceAll(/\[(\w+)\]/g, "{$1}")}`);
  const routes = paths.filter((path) => !path.includes("[") && !ADAPTERS.test(path));
  expect(Object.keys(document.paths ?? {}).toSorted()).toEqual(routes.toSorted());
});

test("the base URL is that of the installation", () => {
  expect(document.openapi).toBe("3.1.0");
  expect(document.servers).toEqual([{ url: "https://knowledge.example.com/v1" }]);
});

test("the document and the reference are built once, whatever the base URL", () => {
  const other = openApiDocument("https://other.example.com");
  expect(other.servers).toEqual([{ url: "https://other.example.com/v1" }]);
  expect(document.servers).toEqual([{ url: "https://knowledge.example.com/v1" }]);
  expect(other.paths).toBe(document.paths);
  expect(other.components).toBe(document.components);
  expect(apiReference()).toBe(apiReference());
});

test("only queryText is required", () => {
  expect(document.components?.schemas?.RetrieveRequest).toMatchObject({ required: ["queryText"] });
});

test("limits and defaults match the contract", () => {
  expect(document.components?.schemas?.RetrieveRequest).toMatchObject({
    properties: {
      limit: { default: 10, anyOf: [{ type: "integer", minimum: 1, maximum: 100 }, { type: "null" }] },
      scoreThreshold: { default: 0, anyOf: [{ type: "number", minimum: 0, maximum: 1 }, { type: "null" }] },
    },
  });
});

test("the values of flags in the query string are documented", () => {
  const parameters = document.paths?.["/api/sources/batch"]?.post?.parameters;
  for (const name of ["widen", "merge"]) {
    expect(parameters).toContainEqual(
      expect.objectContaining({ name, schema: expect.objectContaining({ enum: ["true", "false"] }) }),
    );
  }
});

test("the purpose of an uploaded file has the length that is checked", () => {
  const form = document.paths?.["/api/openai/files"]?.post?.requestBody;
  expect(form).toHaveProperty("content.multipart/form-data.schema.properties.purpose.maxLength", 64);
});

test("the attributes of an update are required, as they are checked", () => {
  expect(attributesUpdate.safeParse({}).success).toBe(false);
  expect(document.components?.schemas?.OpenAiAttributes).toMatchObject({ required: ["attributes"] });
});

test("a batch may be lines of JSON", () => {
  const body = document.paths?.["/api/sources/batch"]?.post?.requestBody;
  expect(body).toMatchObject({ content: { "application/json": {}, "application/x-ndjson": {} } });
});

test("every error is documented", () => {
  const described = JSON.stringify(document.paths);
  for (const { error } of API_ERRORS.filter(({ error }) => error !== "NotFound"))
    expect(described).toContain(`"${error}"`);
});

test("errors of HTTP itself are documented for every operation", () => {
  const operations = Object.values(document.paths ?? {}).flatMap(({ get, post, put, patch, delete: remove }) =>
    [get, post, put, patch, remove].filter((each) => !!each),
  );
  expect(operations.length).toBeGreaterThan(0);
  for (const { responses } of operations) {
    expect(Object.keys(responses ?? {})).toEqual(expect.arrayContaining(["400", "405", "408", "431", "500", "503"]));
  }
});

test("every example is valid", () => {
  for (const example of [examples.chunksRequestExample, examples.answerRequestExample]) retrieveRequest.parse(example);
  for (const example of [examples.chunksResponseExample, examples.answerResponseExample])
    retrieveResponse.parse(example);
  statusResponse.parse(examples.statusResponseExample);
  for (const { schema, example } of API_ERRORS) schema.parse(example);
});
