import { expect, test } from "vitest";
import { contentSecurityPolicy, nonceOf, SECURITY_HEADERS } from "./security-headers.ts";

function directives(policy: string): Map<string, string> {
  return new Map(
    policy.split("; ").map((entry) => [entry.split(" ", 1)[0] ?? "", entry.slice(entry.indexOf(" ") + 1)]),
  );
}

test("scripts run only with the nonce, and no site can frame a page", () => {
  const policy = contentSecurityPolicy("bm9uY2U+/w==");
  expect(nonceOf(policy)).toBe("bm9uY2U+/w==");
  const script = directives(policy).get("script-src") ?? "";
  expect(script).toContain("'nonce-bm9uY2U+/w=='");
  expect(script).not.toMatch(/unsafe/);
  expect(directives(policy).get("frame-ancestors")).toBe("'none'");
  expect(directives(policy).get("object-src")).toBe("'none'");
  expect(directives(policy).get("connect-src")).toBe("'self'");
  expect(SECURITY_HEADERS["Referrer-Policy"]).toBe("same-origin");
  expect(SECURITY_HEADERS["X-Content-Type-Options"]).toBe("nosniff");
});

test("a policy without a nonce has none", () => {
  expect(nonceOf(null)).toBeUndefined();
  expect(nonceOf("default-src 'self'")).toBeUndefined();
});
