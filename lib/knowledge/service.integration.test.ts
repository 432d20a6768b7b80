import { expect, test } from "vitest";
import { browseAudit } from "../audit/browse.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { testDatabase } from "../testing/database.ts";
import { document, newCompany } from "../testing/knowledge.ts";
import { addSources } from "./intake/add.ts";
import { sourceInput } from "./intake/source-input.ts";
import { deleteSources, restoreSources } from "./service.ts";

testDatabase();

async function eventsOf(scope: TenantScope, action: string) {
  return (await browseAudit(scope, SYSTEM_ACTOR, { actor: null, action, from: null, to: null, page: 1 })).rows;
}

test("a bulk deletion and its undo are one small event each, whatever the number of sources", async () => {
  const scope = await newCompany();
  const documents = Array.from({ length: 401 }, (_, index) =>
    sourceInput.parse(document(`d${index}`, `Document ${index}.`)),
  );
  const ids = (await addSources(scope, SYSTEM_ACTOR, documents)).map(({ id }) => id);
  await deleteSources(scope, SYSTEM_ACTOR, ids);
  const [event, ...others] = await eventsOf(scope, "source.deleted");
  expect(others).toEqual([]);
  expect(event).toMatchObject({ targetType: "sources", targetName: "401 sources", detail: { unnamedSources: 201 } });
  expect(event?.detail.sources).toEqual(documents.slice(0, 200).map(({ sourceId }) => sourceId));
  await restoreSources(scope, SYSTEM_ACTOR, ids.slice(0, 3));
  expect(await eventsOf(scope, "source.restored")).toMatchObject([
    { targetName: "3 sources", detail: { sources: ["d0", "d1", "d2"] } },
  ]);
  expect(await restoreSources(scope, SYSTEM_ACTOR, ids)).toHaveLength(398);
});

test("the event of one source has its title as a name, and nothing is recorded when nothing changes", async () => {
  const scope = await newCompany();
  const [added] = await addSources(scope, SYSTEM_ACTOR, [
    sourceInput.parse(document("d", "Text.", { title: "Refund policy" })),
  ]);
  const ids = added ? [added.id] : [];
  await deleteSources(scope, SYSTEM_ACTOR, ids);
  await deleteSources(scope, SYSTEM_ACTOR, ids);
  expect(await eventsOf(scope, "source.deleted")).toMatchObject([
    { targetType: "source", targetName: "Refund policy" },
  ]);
});
