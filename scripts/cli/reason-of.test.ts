import { expect, test } from "vitest";
import { z } from "zod";
import { reasonOf } from "./reason-of.ts";

const request = z.object({ queryText: z.string().min(1, "must not be empty"), limit: z.int("must be a number") });

test.each([
  [{ queryText: "", limit: 3 }, "queryText: must not be empty"],
  [{ queryText: "", limit: "many" }, "queryText: must not be empty; limit: must be a number"],
])("the error of a schema is described by its issues, in one line", (input, reason) => {
  expect(reasonOf(request.safeParse(input).error)).toBe(reason);
});
