import { expect, test } from "vitest";
import { CLI_ACTOR } from "../audit/record.ts";
import { users } from "../db/schema/index.ts";
import { getMeta } from "../db/system/meta.ts";
import { countUsers } from "../db/system/users.ts";
import { tenantScope } from "../db/tenant.ts";
import { testCompany, testMember } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { listMembers } from "./service.ts";
import { completeSetup, createSetupCode, setupIsOpen } from "./setup.ts";

const { db } = testDatabase();

const answers = { companyName: "Marl & Co", name: "Ada", email: "first@example.com", password: "granite marl slate" };

test("works only while there is no user, and once, with the newest code", async () => {
  await testMember(await testCompany(), "admin");
  expect(await setupIsOpen()).toBe(false);
  expect(await createSetupCode()).toBeNull();
  await db.delete(users);

  expect(await setupIsOpen()).toBe(true);
  const old = await createSetupCode();
  const code = await createSetupCode();
  if (!code || !old) throw new Error("no code");
  expect(JSON.stringify(await getMeta("setupCode"))).not.toContain(code);
  for (const wrong of [old, "nonsense", `${code}x`]) {
    await expect(completeSetup({ ...answers, code: wrong })).rejects.toMatchObject({
      error: "ValidationError",
      fields: { issues: [{ path: "code" }] },
    });
  }
  await expect(completeSetup({ ...answers, code, password: "short" })).rejects.toMatchObject({
    error: "ValidationError",
  });

  const outcomes = await Promise.allSettled([
    completeSetup({ ...answers, code: ` ${code.toUpperCase()} ` }),
    completeSetup({ ...answers, email: "second@example.com", code }),
  ]);
  const done = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  expect(done).toHaveLength(1);
  expect(await countUsers()).toBe(1);
  expect(await listMembers(tenantScope(done[0]?.companyId ?? ""), CLI_ACTOR)).toMatchObject([
    { userId: done[0]?.userId, role: "admin" },
  ]);
  expect(await setupIsOpen()).toBe(false);
  await expect(completeSetup({ ...answers, code })).rejects.toMatchObject({ error: "Conflict" });
});
