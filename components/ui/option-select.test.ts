import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { OptionSelect } from "./option-select.tsx";

const OPTIONS = [{ value: "sam", label: "Sam" }];

function chosen(value: string | null): string | undefined {
  const props = { options: OPTIONS, none: "Nobody", unknown: "A former member", value, onChange: () => {} };
  return /<option[^>]* selected=""[^>]*>([^<]*)/.exec(renderToStaticMarkup(createElement(OptionSelect, props)))?.[1];
}

test.each([
  ["sam", "Sam"],
  [null, "Nobody"],
  ["gone", "A former member"],
])("the value %s shows as %s", (value, label) => {
  expect(chosen(value)).toBe(label);
});
