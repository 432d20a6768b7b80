import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { type Actor, SYSTEM_ACTOR } from "../../audit/record.ts";
import { renameCompany } from "../../companies/service.ts";
import type { KeyPolicy } from "../../db/stored-json.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, companyWith, document } from "../../testing/knowledge.ts";
import { addSources } from "../intake/add.ts";
import { sourceInput } from "../intake/source-input.ts";
import { restoreSources } from "../restore.ts";
import { deleteSources } from "../service.ts";
import { describeKnowledge } from "./describe-knowledge.ts";

const { db } = testDatabase();

let scope: TenantScope;
beforeEach(async () => {
  scope = await companyWith(paper("prices", "public"), paper("margins", "team"));
});

function paper(contentCategory: string, audience: string, more: object = {}) {
  return document(contentCategory, `All about ${contentCategory}.`, { contentCategory, audience: [audience], ...more });
}

function keyOf({ companyId }: TenantScope, policy: KeyPolicy): Actor {
  return { type: "api_key", id: crypto.randomUUID(), name: "Assistant", companyId, scopes: ["retrieve"], policy };
}

const described = (policy: KeyPolicy = {}, of = scope) => describeKnowledge(of, keyOf(of, policy));

describe("the description of the knowledge for assistants", () => {
  it("reads the categories again only when the content has changed", async () => {
    const before = await described();
    expect(before).toBe("the knowledge base of Test company, about margins and prices");
    // no method changes labels without a new stamp
    await db.execute(
      sql`update ragstone.source_versions set content_category = 'bees' where company_id = ${scope.companyId}`,
    );
    expect(await described()).toBe(before);
    await addAndIngest(scope, paper("hours", "public"));
    expect(await described()).toBe("the knowledge base of Test company, about bees and hours");
  });

  it("follows every change of the content and of the name immediately", async () => {
    const policy = { audience: ["public"] };
    expect(await described(policy)).toMatch(/about prices$/);
    const [added] = await addAndIngest(scope, paper("hours", "public"));
    expect(await described(policy)).toMatch(/about hours and prices$/);
    await deleteSources(scope, SYSTEM_ACTOR, [added?.id ?? ""]);
    expect(await described(policy)).toMatch(/about prices$/);
    await restoreSources(scope, SYSTEM_ACTOR, [added?.id ?? ""]);
    expect(await described(policy)).toMatch(/about hours and prices$/);
    // fewer audiences apply before the new text is processed
    const narrowed = sourceInput.parse(paper("hours", "team", { content: "Other hours." }));
    await addSources(scope, SYSTEM_ACTOR, [narrowed], { widenTo: "any" });
    expect(await described(policy)).toMatch(/about prices$/);
    await renameCompany(scope, SYSTEM_ACTOR, { name: "Norte Energy" });
    expect(await described(policy)).toBe("the knowledge base of Norte Energy, about prices");
  });

  it("never describes what only another key's policy allows, or what another company has", async () => {
    const other = await companyWith(paper("bees", "public"));
    expect(await described()).toMatch(/about margins and prices$/);
    expect(await described({ audience: ["public"] })).toMatch(/about prices$/);
    expect(await described({ audience: ["team"] })).toMatch(/about margins$/);
    expect(await described({ contentCategory: ["margins"], answers: false })).toMatch(/about margins$/);
    expect(await described({ audience: [] })).toBe("the knowledge base of Test company");
    expect(await described({}, other)).toMatch(/about bees$/);
    expect(await described()).toMatch(/about margins and prices$/);
  });
});
