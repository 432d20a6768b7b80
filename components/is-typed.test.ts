import { expect, test } from "vitest";
import { isTyped } from "./is-typed.ts";

test.each(["Strata Ltd", "Strata  Ltd", "Strata\nLtd", "Strata\u00a0Ltd", " Strata \t Ltd\n"])(
  "%j is typed as a page shows it",
  (name) => {
    expect(isTyped("Strata Ltd", name)).toBe(true);
    expect(isTyped(` ${name} `, name)).toBe(true);
    expect(isTyped("StrataLtd", name)).toBe(false);
    expect(isTyped("strata Ltd", name)).toBe(false);
  },
);
