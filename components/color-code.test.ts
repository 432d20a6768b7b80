import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { colorCode } from "./color-code.tsx";

const html = (code: string) => renderToStaticMarkup(colorCode(code));

test("colours texts, constants, keywords and comments, and keeps the code", () => {
  expect(html("const limit = 5; // at most")).toBe(
    '<span class="text-accent">const</span> limit = <span class="text-warning">5</span>; <span class="text-muted">// at most</span>',
  );
  expect(html('{"from": null}')).toContain('<span class="text-success">&quot;from&quot;</span>');
});

test("colours no part of a URL and no long code", () => {
  expect(html("curl http://a.example:80/b")).toBe('<span class="text-accent">curl</span> http://a.example:80/b');
  expect(html('{"limit":5}')).toContain('<span class="text-warning">5</span>');
  expect(html("true ".repeat(5_000))).not.toContain("<span");
});
