import { expect, test } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../testing/knowledge.ts";

testDatabase();

test("answers many simultaneous questions of one company and one of another", async () => {
  const [busy, quiet] = [await newCompany(), await newCompany()];
  for (const scope of [busy, quiet]) await addAndIngest(scope, document("gate", "The gate opens at noon."));
  const asked = [...Array.from({ length: 12 }, () => busy), quiet].map((scope, index) =>
    ask(scope, { queryText: `When does gate ${index} open?` }),
  );
  const totals = (await Promise.all(asked)).map(({ response }) => response.total);
  expect(totals).toEqual(asked.map(() => 1));
});
