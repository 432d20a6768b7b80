import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { createCompany } from "../companies/service.ts";
import { testDatabase } from "../testing/database.ts";
import type { Transaction } from "./client.ts";
import { companies } from "./schema/index.ts";
import { sendAll, sendBoth } from "./send.ts";

const database = testDatabase();

test("sends the first statements of all calls in their order, however they are built", async () => {
  const { id } = await createCompany(SYSTEM_ACTOR, { name: "-" });
  const asStatement = (tx: Transaction, letter: string) =>
    tx.execute(sql`update ragstone.companies set name = name || ${letter}::text where id = ${id}`);
  const asBuilder = async (tx: Transaction, letter: string) =>
    tx
      .update(companies)
      .set({ name: sql`${companies.name} || ${letter}::text` })
      .where(eq(companies.id, id))
      .returning({ name: companies.name });
  const calls = (tx: Transaction) =>
    [..."abcdefgh"].map((letter, index) => () => (index % 2 ? asStatement : asBuilder)(tx, letter));
  for (let round = 0; round < 2; round++) await database.db.transaction((tx) => sendAll(calls(tx)));
  const [company] = await database.db.select({ name: companies.name }).from(companies).where(eq(companies.id, id));
  expect(company?.name).toBe("-abcdefghabcdefgh");
});

test("starts the second call before the first is answered, and returns both results", async () => {
  let answered = false;
  const results = await database.db.transaction((tx) =>
    sendBoth(
      async () => {
        const rows = await tx.execute(sql`select 1 as n`);
        answered = true;
        return rows[0];
      },
      async () => answered,
    ),
  );
  expect(results).toEqual([{ n: 1 }, false]);
});

test("throws the error of the first statement that failed, when all calls have ended", async () => {
  const ended: string[] = [];
  const call = (tx: Transaction, statement: string) => async () => {
    try {
      await tx.execute(sql.raw(statement));
    } finally {
      ended.push(statement);
    }
  };
  const failing = database.db.transaction((tx) =>
    sendAll(["select 1", "select 1 / 0", "select 2"].map((statement) => call(tx, statement))),
  );
  await expect(failing).rejects.toMatchObject({ cause: { message: "division by zero" } });
  expect(ended).toEqual(["select 1", "select 1 / 0", "select 2"]);
});
