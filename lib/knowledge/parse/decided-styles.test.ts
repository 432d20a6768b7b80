import { expect, test } from "vitest";
import { decidedStyles } from "./decided-styles.ts";

test("the nearest style that says something decides", () => {
  const styles = [
    { name: "grandchild", value: null, base: "child" },
    { name: "child", value: null, base: "hidden" },
    { name: "hidden", value: true, base: "" },
    { name: "shown", value: false, base: "hidden" },
    { name: "plain", value: null, base: "shown" },
    { name: "own base", value: null, base: "own base" },
    { name: "no base", value: null, base: "missing" },
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
    value: index === 0 ? true : null,
    base: `${index - 1}`,
  }));
  expect(decidedStyles(styles.reverse()).size).toBe(100_000);
});
