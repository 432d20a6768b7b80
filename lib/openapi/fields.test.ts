import { expect, test } from "vitest";
import { fieldsOf } from "./fields.ts";
import { openApiDocument } from "./openapi.ts";

const schemas = openApiDocument("http://localhost:3000").components?.schemas ?? {};

function typesOf(component: string) {
  return Object.fromEntries(fieldsOf(schemas[component]).map(({ name, type }) => [name, type]));
}

test("describes the types of the request's fields", () => {
  expect(typesOf("RetrieveRequest")).toMatchObject({
    queryText: "string of 1–8000 characters",
    filters: "object",
    scoreThreshold: "number 0–1",
    returnMode: '"ai_generated_answer" | "chunks_only"',
    limit: "integer 1–100",
    useRerank: "boolean",
    companyProductsNames: "string[]",
  });
  expect(typesOf("RetrieveFilters")).toEqual({
    sourceTypes: '("document" | "qa")[]',
    audience: "string",
    contentCategory: "string | string[]",
    path: "string[]",
    metadata: "object",
  });
});

test("describes the lengths of a source's texts", () => {
  expect(typesOf("PutSource")).toMatchObject({
    sourceId: "string of 1–512 characters",
    title: "string of 1–1000 characters",
    answer: "string of 1–100000 characters",
    contentCategory: "string of 1–200 characters",
  });
});

test("describes required fields and defaults", () => {
  const byName = new Map(fieldsOf(schemas.RetrieveRequest).map((field) => [field.name, field]));
  expect(byName.get("queryText")).toMatchObject({ required: true, default: null });
  expect(byName.get("limit")).toMatchObject({ required: false, default: "10" });
  expect(byName.get("filters")).toMatchObject({ refersTo: "RetrieveFilters" });
});

test("names nested fields by their path, and referenced objects by their name", () => {
  expect(typesOf("StatusResponse")).toMatchObject({ status: '"ok"', "apiKey.id": "string (uuid)" });
  expect(fieldsOf(schemas.RetrieveResponse).find(({ name }) => name === "results")).toMatchObject({
    type: "object[]",
    refersTo: "RetrieveResult",
  });
});

test("every field has a description, except those that only group others", () => {
  for (const component of Object.keys(schemas).filter((name) => /^(Retrieve|Result|Status)/.test(name))) {
    for (const field of fieldsOf(schemas[component])) {
      expect(field.description || field.refersTo, `${component}.${field.name}`).toBeTruthy();
    }
  }
});
