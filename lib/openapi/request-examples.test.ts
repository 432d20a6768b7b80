import { expect, test } from "vitest";
import { requestExamples } from "./request-examples.ts";

const BODY = { queryText: 'Is it true that "null" isn\'t false?', useRerank: true, filters: { audience: "a\\" } };
const examples = requestExamples({ url: "http://localhost:3000/v1/api/rag/retrieve", method: "POST", body: BODY });

test("Python gets its own true and false, and the text of the question stays unchanged", () => {
  expect(examples.Python).toContain('"queryText": "Is it true that \\"null\\" isn\'t false?"');
  expect(examples.Python).toContain('"useRerank": True');
});

test("a shell reads the body unchanged", () => {
  const quoted = examples.curl.slice(examples.curl.indexOf("-d '") + 4, -1);
  expect(JSON.parse(quoted.replaceAll("'\\''", "'"))).toEqual(BODY);
});

test("every language takes the key from the environment", () => {
  for (const example of Object.values(examples)) expect(example).toContain("RAGSTONE_API_KEY");
});
