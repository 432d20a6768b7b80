import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, document, newCompany } from "../../testing/knowledge.ts";
import { listLabels } from "../browse/list-labels.ts";

testDatabase();

test("lists each label of the company's sources once, in order", async () => {
  const scope = await newCompany();
  expect(await listLabels(scope, SYSTEM_ACTOR)).toEqual({ audiences: [], categories: [], paths: [] });
  await addAndIngest(
    scope,
    document("a", "One.", { audience: ["copilot", "ai_agent"], contentCategory: "policy", path: ["Help", "Router"] }),
    document("b", "Two.", { audience: ["copilot"], contentCategory: "billing", path: ["Help", "Router"] }),
    document("c", "Three.", { audience: ["copilot"], path: ["24/7 Support", "Phone"] }),
  );
  expect(await listLabels(scope, SYSTEM_ACTOR)).toEqual({
    audiences: ["ai_agent", "copilot"],
    categories: ["billing", "general", "policy"],
    paths: ["24\\/7 Support / Phone", "Help / Router"],
  });
  expect(await listLabels(await newCompany(), SYSTEM_ACTOR)).toEqual({ audiences: [], categories: [], paths: [] });
});
