import { expect, it } from "vitest";
import { refusalOf } from "./distribute.ts";

const READY = { embedded: false, hasCitus: true, isDistributed: false, hasCompanies: false };

it.each([
  { state: { embedded: true, hasCitus: false }, refusal: "The embedded database cannot be distributed" },
  { state: { hasCitus: false }, refusal: "Citus is not installed in this database" },
  { state: { isDistributed: true, hasCompanies: true }, refusal: "The database is already distributed" },
  { state: { hasCompanies: true }, refusal: "add --move-data" },
])("a database is not distributed: $refusal", ({ state, refusal }) => {
  expect(refusalOf({ ...READY, ...state }, false)).toContain(refusal);
});

it("an empty database is distributed, and a filled one if its rows may move", () => {
  expect(refusalOf(READY, false)).toBeNull();
  expect(refusalOf({ ...READY, hasCompanies: true }, true)).toBeNull();
});
