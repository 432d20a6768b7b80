import { beforeAll, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { addSources } from "../knowledge/intake/add.ts";
import { sourceInput } from "../knowledge/intake/source-input.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, companyWith, document, newCompany } from "../testing/knowledge.ts";
import { getRequest } from "../usage/log.ts";
import { explainSource } from "./explain.ts";
import { readSettings } from "./logged-settings.ts";
import { type MetadataFilter, toMetadataFilter } from "./metadata-filter.ts";
import { retrieveRequest } from "./schema.ts";

testDatabase();

const queryText = "How long does a refund take?";
let scope: TenantScope;
beforeAll(async () => {
  scope = await companyWith(
    document("eu-2023", "In 2023 a refund took ten days.", {
      metadata: { region: "EU", year: 2023 },
      audience: ["staff"],
    }),
    document("eu-2024", "In 2024 a refund takes nine days.", { metadata: { region: "EU", year: 2024 } }),
    document("us-2024", "A refund takes a month.", { metadata: { region: "US", year: 2024, until: "2025-06-30" } }),
    document("plain", "Refunds exist.", { path: ["Help"] }),
  );
});

async function found(metadata: MetadataFilter | null, options: Parameters<typeof ask>[2] = {}): Promise<string[]> {
  const { response } = await ask(scope, { queryText, filters: { metadata } }, options);
  return response.results.map(({ payload }) => payload.sourceId).toSorted();
}

describe("filters.metadata", () => {
  it.each([
    [{ region: "EU", year: { gte: 2024 } }, ["eu-2024"]],
    [{ region: ["EU", "US"] }, ["eu-2023", "eu-2024", "us-2024"]],
    [{ year: "2024" }, []],
    [{ region: { ne: "EU" } }, ["us-2024"]],
    [{ not: { region: "EU" } }, ["plain", "us-2024"]],
    [{ region: { exists: false } }, ["plain"]],
    [{ or: [{ until: { after: "2025-01-01" } }, { path: "Help" }] }, ["plain", "us-2024"]],
    [{ title: { startsWith: "eu-" }, sourceId: { ne: "eu-2023" } }, ["eu-2024"]],
    [{}, ["eu-2023", "eu-2024", "plain", "us-2024"]],
    [null, ["eu-2023", "eu-2024", "plain", "us-2024"]],
  ])("%j finds %j", async (metadata, expected) => {
    expect(await found(metadata)).toEqual(expected);
  });

  it("narrows what the policy of a key allows, and never widens it", async () => {
    const policy = { audience: ["staff"] };
    expect(await found({ region: "EU" }, { policy })).toEqual(["eu-2023"]);
    expect(await found({ or: [{ audience: { ne: "staff" } }, { sourceId: { exists: true } }] }, { policy })).toEqual([
      "eu-2023",
    ]);
    expect(await found({ region: "EU" }, { policy: { audience: [] } })).toEqual([]);
  });

  it("applies to the newest version before it is ready", async () => {
    const own = await newCompany();
    await addAndIngest(own, document("draft", "A refund takes a day.", { metadata: { state: "final" } }));
    const results = async () =>
      (await ask(own, { queryText, filters: { metadata: { state: "final" } } })).response.results;
    expect(await results()).toHaveLength(1);
    const draft = document("draft", "A refund takes a year.", { metadata: { state: "draft" } });
    await addSources(own, SYSTEM_ACTOR, [sourceInput.parse(draft)]);
    expect(await results()).toEqual([]);
  });

  it("is in the log as it can be sent again", async () => {
    const metadata = { region: { eq: "EU" }, year: { gte: 2024, lt: 2030 } };
    const requestId = crypto.randomUUID();
    await found(metadata, { requestId });
    const { request } = await getRequest(scope, SYSTEM_ACTOR, requestId);
    expect(request).toMatchObject({ filters: { metadata } });
    const where = readSettings(request)?.filters.metadata;
    expect(where && toMetadataFilter(where)).toEqual(metadata);
  });

  it("is named as the reason why a source was not found", async () => {
    const request = retrieveRequest.parse({ queryText, filters: { metadata: { region: "EU" } } });
    const { verdict } = await explainSource(scope, request, { policy: {}, name: "us-2024" });
    expect(verdict).toEqual({ kind: "excluded", by: [{ filter: "metadata", isOfKey: false }] });
  });
});
