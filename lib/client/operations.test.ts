import { expect, test } from "vitest";
import { OPENAI_TAG } from "../openapi/openai-operations.ts";
import { openApiDocument } from "../openapi/openapi.ts";
import { Ragstone } from "./index.ts";

/** The methods of the client by the operation that they call. */
const METHODS: Record<string, string[]> = {
  getStatus: ["status"],
  retrieve: ["retrieve", "stream"],
  listSources: ["sources.list"],
  putSource: ["sources.put"],
  putFile: ["sources.putFile", "sources.putQuestions"],
  putSources: ["sources.batch"],
  diffSources: ["sources.diff"],
  getSourceStatuses: ["sources.statuses"],
  deleteSources: ["sources.deleteMany"],
  getSource: ["sources.get", "sources.waitUntilReady"],
  labelSource: ["sources.update"],
  deleteSource: ["sources.delete"],
  verifySource: ["sources.verify"],
  withdrawVerification: ["sources.withdrawVerification"],
  restoreSource: ["sources.restore"],
  reindexSource: ["sources.reindex"],
  getSourceText: ["sources.text"],
  getSourceOriginal: ["sources.original"],
};

function methodsOf(instance: object, prefix = ""): string[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(instance));
  return names.filter((name) => name !== "constructor").map((name) => prefix + name);
}

test("the client has a method for every operation of the API, and no other", () => {
  const operations = Object.values(openApiDocument("https://rag.example.com").paths ?? {}).flatMap((path) =>
    Object.values(path ?? {}).flatMap(({ operationId, tags = [] }: { operationId?: string; tags?: string[] }) =>
      operationId && !tags.includes(OPENAI_TAG) ? operationId : [],
    ),
  );
  expect(Object.keys(METHODS).sort()).toEqual(operations.filter((id) => id !== "getOpenApi").sort());
  const client = new Ragstone({ apiKey: "key", baseUrl: "https://rag.example.com" });
  const methods = [...methodsOf(client), ...methodsOf(client.sources, "sources.")];
  expect(Object.values(METHODS).flat().sort()).toEqual(methods.sort());
});
