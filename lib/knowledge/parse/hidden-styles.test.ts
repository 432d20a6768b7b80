import { expect, test } from "vitest";
import { decidedStyles } from "./hidden-styles.ts";

test("the nearest style that says so decides whether text is hidden", () => {
  const styles = [
    { name: "grandchild", hides: null, base: "child" },
    { name: "child", hides: null, base: "hidden" },
    { name: "hidden", hides: true, base: "" },
    { name: "shown", hides: false, base: "hidden" },
    { name: "plain", hides: null, base: "shown" },
    { name: "own base", hides: null, base: "own base" },
    { name: "no base", hides: null, base: "missing" },
  ];
  expect(Object.fromEntries(decidedStyles(styles))).toEqual({
    grandchild: true,
    child: true,
    hidden: true,
    shown: false,
    plain: false,
  });
});

test("a chain of 100,000 styles ends", () => {
  const styles = Array.from({ length: 100_000 }, (_, index) => ({
    name: `${index}`,
    hides: index === 0 ? true : null,
    base: `${index - 1}`,
  }));
  expect(decidedStyles(styles.reverse()).size).toBe(100_000);
});
