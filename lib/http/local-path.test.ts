import { expect, test } from "vitest";
import { localPath } from "./local-path.ts";

test.each(["/overview", "/knowledge?q=a+b&page=2", "/settings/members#invite", "/"])(
  "%s stays on this site",
  (path) => {
    expect(localPath(path)).toBe(path);
  },
);

test.each([
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/\n\\evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "https://evil.example",
  "evil.example",
  "javascript:alert(1)",
  "",
  undefined,
  ["/overview"],
])("%j is refused", (given) => {
  expect(localPath(given)).toBeNull();
});
