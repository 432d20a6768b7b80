import { expect, test } from "vitest";
import { hiddenStyles } from "./hidden-styles.ts";

test("a style hides text if it or the nearest style that decides does", () => {
  const styles = [
    { name: "grandchild", hides: null, base: "child" },
    { name: "child", hides: null, base: "hidden" },
    { name: "hidden", hides: true, base: "" },
    { name: "shown", hides: false, base: "hidden" },
    { name: "plain", hides: null, base: "shown" },
    { name: "own base", hides: null, base: "own base" },
    { name: "no base", hides: null, base: "missing" },
  ];
  expect(hiddenStyles(styles)).toEqual(new Set(["grandchild", "child", "hidden"]));
});

test("a chain of 100,000 styles ends", () => {
  const styles = Array.from({ length: 100_000 }, (_, index) => ({
    name: `${index}`,
    hides: index === 0 ? true : null,
    base: `${index - 1}`,
  }));
  expect(hiddenStyles(styles.reverse()).size).toBe(100_000);
});
