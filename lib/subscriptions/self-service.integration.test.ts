import { beforeEach, expect, test } from "vitest";
import { type Actor, CLI_ACTOR } from "../audit/record.ts";
import { createCompany } from "../companies/service.ts";
import { SUBSCRIPTION_STATUSES } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { testCompany, testMember } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import {
  cancelSubscription,
  changePlan,
  getSubscription,
  previewResume,
  resumeSubscription,
  setSubscription,
} from "./service.ts";

// read once, when the first service uses it
process.env.SELF_SERVICE = "off";
testDatabase();
let scope: TenantScope;
let admin: Actor;

beforeEach(async () => {
  scope = await testCompany();
  admin = (await testMember(scope, "admin")).actor;
});

const forbidden = { error: "Forbidden", message: expect.stringContaining("operator") };

test.each(SUBSCRIPTION_STATUSES)(
  "without self-service, only the operator can change a subscription that is %s",
  async (status) => {
    await setSubscription(scope, CLI_ACTOR, { status });
    const before = await getSubscription(scope, admin);
    expect(before).toMatchObject({ status, canChange: false });
    expect(await previewResume(scope, admin)).toBeNull();
    await expect(resumeSubscription(scope, admin)).rejects.toMatchObject(forbidden);
    await expect(cancelSubscription(scope, admin, { at: "now" })).rejects.toMatchObject(forbidden);
    await expect(cancelSubscription(scope, admin, { at: "period_end" })).rejects.toMatchObject(forbidden);
    await expect(changePlan(scope, admin, { plan: "scale" })).rejects.toMatchObject(forbidden);
    expect(await getSubscription(scope, admin)).toEqual(before);
    expect(await setSubscription(scope, CLI_ACTOR, { status: "ACTIVE" })).toMatchObject({ state: { served: true } });
  },
);

test("without self-service, the operator creates companies and members cannot", async () => {
  await expect(createCompany(admin, { name: "Mine" })).rejects.toMatchObject(forbidden);
  expect((await createCompany(CLI_ACTOR, { name: "Sold" })).name).toBe("Sold");
});
