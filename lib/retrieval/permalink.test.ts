import { expect, it } from "vitest";
import { permalinkOf } from "./permalink.ts";

const id = "6f1b0c1e-5f0e-4a55-9d52-0a3c6f1b2d11";
const page = `https://ask.example/knowledge/chunks/${id}`;

it.each([
  ["https://norte.example/a?b=1#c", "https://norte.example/a?b=1#c"],
  ["HTTP://norte.example", "http://norte.example/"],
  ["javascript:alert(1)", page],
  ["file:///etc/passwd", page],
  ["/help", page],
  ["norte.example", page],
  ["", page],
  [7, page],
  [undefined, page],
])("a source with the url %j is read at %s", (url, expected) => {
  const payload = {
    companyId: id,
    audience: [],
    contentCategory: "general",
    content: "",
    sourceType: "document" as const,
    sourceId: "a.md",
    title: "A",
    path: [],
    metadata: { url },
  };
  expect(permalinkOf({ id, payload }, "https://ask.example")).toBe(expected);
});
