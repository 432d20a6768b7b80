import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { dayInput, instantInput, instantTextInput } from "./instant.ts";
import { testDatabase } from "./testing/database.ts";

const { db } = testDatabase();

const days = ["0001-01-01", "2024-02-29", "9999-12-31"];
const offsets = ["Z", "-00:00", "+05:45", "-15:59", "+15:59"];
const instants = days.flatMap((day) =>
  ["T00:00:00", "T23:59:59.123456789"].flatMap((time) => offsets.map((offset) => `${day}${time}${offset}`)),
);

test("PostgreSQL reads every day and every instant that is accepted", async () => {
  for (const day of days) await db.execute(sql`select ${dayInput.parse(day)}::date`);
  for (const instant of instants) await db.execute(sql`select ${instantTextInput.parse(instant)}::timestamptz`);
  const dates = [...days, ...instants].flatMap((given) => instantInput.safeParse(given).data ?? []);
  expect(dates.length).toBeGreaterThan(days.length + instants.length / 2);
  for (const date of dates) await db.execute(sql`select ${date.toISOString()}::timestamptz`);
});

test.each(["0000-01-01", "2023-02-29", "+010000-01-01", "today"])("the day %s is refused", (day) => {
  expect(dayInput.safeParse(day).error?.issues[0]?.message).toMatch(/^must be a date between the years 1 and 9999/);
  expect(instantInput.safeParse(day).success).toBe(false);
});

test.each([
  "0000-01-01T00:00:00Z",
  "2026-01-01T00:00:00+23:00",
  "2026-01-01T00:00:00-16:00",
  `2026-01-01T00:00:00.${"1".repeat(40)}Z`,
])("the instant %s is refused", (instant) => {
  expect(instantTextInput.safeParse(instant).error?.issues[0]?.message).toMatch(/^must be an ISO 8601 date and time/);
  expect(instantInput.safeParse(instant).success).toBe(false);
});

test.each([
  new Date(8_640_000_000_000_000),
  new Date("0000-12-31"),
  "9999-12-31T23:59:59-15:00",
  "0001-01-01T00:00:00+01:00",
])("%s is outside of the years that can be stored", (instant) => {
  expect(instantInput.safeParse(instant).success).toBe(false);
});
