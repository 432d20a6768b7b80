import { expect, test } from "vitest";
import { AppError } from "../errors.ts";
import { ObjectStoreError } from "../storage/object-store.ts";
import { outageOf } from "./outage.ts";

const coded = (code: string) => Object.assign(new Error("secret detail"), { code });

test.each([
  ["a refused connection", coded("ECONNREFUSED"), 503],
  [
    "a database that is starting, wrapped by the query builder",
    new Error("Failed query", { cause: coded("57P03") }),
    503,
  ],
  ["a full disk of the database", new Error("Failed query", { cause: coded("53100") }), 507],
  ["a full disk of the file storage", new ObjectStoreError("cannot be written", { cause: coded("ENOSPC") }), 507],
  ["a quota that is used up", coded("EDQUOT"), 507],
  ["a file storage that does not answer", new ObjectStoreError("no answer", { isUnavailable: true }), 503],
  ["what was recognised before", new AppError("ServiceUnavailable", "busy"), 503],
])("%s", (_what, error, status) => {
  const outage = outageOf(error);
  expect(outage?.statusCode).toBe(status);
  expect(outage?.message).not.toContain("secret");
});

test.each([
  new Error("x"),
  coded("23505"),
  new ObjectStoreError("is missing"),
  new AppError("NotFound", "x"),
  "ENOSPC",
  null,
])("%s is not an outage", (error) => {
  expect(outageOf(error)).toBeNull();
});
