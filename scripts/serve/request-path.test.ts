import { expect, test } from "vitest";
import { loggedPath } from "./request-path.ts";

test.each([
  ["/invite/secret?next=x", "/invite/…"],
  ["/reset/secret", "/reset/…"],
  ["/%72eset/secret", "/reset/…"],
  ["/Reset/secret/more", "/Reset/…"],
  ["//reset/secret", undefined],
  ["/./invite/secret", undefined],
  ["/x/../reset/secret", undefined],
  ["/%72eset/secret%", undefined],
  ["http://x/reset/secret", undefined],
  ["/knowledge/new?q=secret", "/knowledge/new"],
])("logs %s without its token", (url, path) => {
  expect(loggedPath(url)).toBe(path);
});
