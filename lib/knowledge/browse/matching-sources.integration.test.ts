import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { browseAudit } from "../../audit/browse.ts";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { testDatabase } from "../../testing/database.ts";
import { document, newCompany } from "../../testing/knowledge.ts";
import { addSources } from "../intake/add.ts";
import { relabelSources, undoRelabel } from "../intake/relabel.ts";
import { sourceInput } from "../intake/source-input.ts";
import { restoreSources } from "../restore.ts";
import { deleteSources } from "../service.ts";
import { sourceFilter } from "./browse-query.ts";
import { matchingSources, stillMatching } from "./matching-sources.ts";

testDatabase();

test("all sources that match a filter change together, but not those that changed in between", async () => {
  const scope = await newCompany();
  const documents = Array.from({ length: 120 }, (_, index) =>
    sourceInput.parse(document(`d${index}`, `Text ${index}.`, { contentCategory: index < 101 ? "old" : "new" })),
  );
  const added = await addSources(scope, SYSTEM_ACTOR, documents);
  const old = sourceFilter.parse({ category: "old" });
  const chosen = await matchingSources(scope, SYSTEM_ACTOR, old);
  expect(chosen.toSorted()).toEqual(
    added
      .slice(0, 101)
      .map(({ id }) => id)
      .toSorted(),
  );

  const [first = ""] = chosen;
  await relabelSources(scope, SYSTEM_ACTOR, [first], { contentCategory: "mine" });
  const still = await stillMatching(scope, SYSTEM_ACTOR, chosen, old);
  expect(still.toSorted()).toEqual(chosen.slice(1).toSorted());

  const relabelId = randomUUID();
  await relabelSources(scope, SYSTEM_ACTOR, still, { contentCategory: "kept" }, { relabelId });
  const { rows } = await browseAudit(scope, SYSTEM_ACTOR, {
    ...{ actor: null, action: "knowledge.relabelled", from: null, to: null, page: 1 },
  });
  expect(rows.map(({ targetName }) => targetName)).toEqual(["100 sources", expect.stringMatching(/^d\d+$/)]);
  await undoRelabel(scope, SYSTEM_ACTOR, relabelId);
  expect(await matchingSources(scope, SYSTEM_ACTOR, old)).toHaveLength(100);

  const deleted = await deleteSources(scope, SYSTEM_ACTOR, still);
  expect(await matchingSources(scope, SYSTEM_ACTOR, sourceFilter.parse({ status: "deleted" }))).toHaveLength(100);
  const restored = await restoreSources(
    scope,
    SYSTEM_ACTOR,
    deleted.map(({ id }) => id),
  );
  expect(restored).toHaveLength(100);
  expect(await restoreSources(scope, SYSTEM_ACTOR, [first])).toEqual([]);
});
