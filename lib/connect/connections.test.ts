import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CONNECTIONS, canUseConnection } from "./connections.ts";

const target = { url: "https://knowledge.example.com", key: "YOUR_API_KEY" };

describe.each(CONNECTIONS)("the connection $name", ({ name, snippets }) => {
  it("has the same lines in docs/connect.md", () => {
    const docs = readFileSync("docs/connect.md", "utf8");
    expect(docs).toContain(`### ${name}\n`);
    for (const { code } of snippets(target)) expect(docs).toContain(`\n${code}\n\`\`\`\n`);
  });

  it("contains the URL and the key that it was given", () => {
    const codes = snippets({ url: "http://here.example", key: "ragstone_live_x" }).map(({ code }) => code);
    expect(codes.join("\n")).toContain("http://here.example");
    expect(codes.join("\n")).toContain("ragstone_live_x");
    expect(codes.join("\n")).not.toContain("knowledge.example.com");
  });
});

it("suits a key with the scopes that it needs, or with one that contains them", () => {
  const connection = { scopes: ["retrieve", "ingest"] } as const;
  expect(canUseConnection({ scopes: ["retrieve", "ingest"] }, connection)).toBe(true);
  expect(canUseConnection({ scopes: ["retrieve", "manage"] }, connection)).toBe(true);
  expect(canUseConnection({ scopes: ["retrieve"] }, connection)).toBe(false);
  expect(canUseConnection({ scopes: ["manage"] }, connection)).toBe(false);
});
