import { expect, test } from "vitest";
import { diskFull, isDiskFull } from "./disk-full.ts";

test.each(["ENOSPC", "EDQUOT", "53100"])("%s means a full disk, even as a cause", (code) => {
  const error = Object.assign(new Error("no"), { code });
  expect(isDiskFull(error)).toBe(true);
  expect(isDiskFull(new Error("The original cannot be written.", { cause: error }))).toBe(true);
});

test("other errors do not", () => {
  for (const other of [new Error("ENOSPC"), Object.assign(new Error("no"), { code: "EACCES" }), "ENOSPC", null])
    expect(isDiskFull(other)).toBe(false);
});

test("is answered with 507", () => {
  expect(diskFull().statusCode).toBe(507);
});
