import { expect, test } from "vitest";
import { generateToken, hashToken, isToken, maskToken, TOKEN_PREFIX } from "./key.ts";

test("a token is one word, unique and valid", () => {
  const tokens = Array.from({ length: 500 }, generateToken);
  expect(new Set(tokens).size).toBe(500);
  for (const token of tokens) {
    expect(token).toMatch(/^ragstone_live_[0-9A-Za-z]{38}$/);
    expect(isToken(token)).toBe(true);
  }
});

test("the secret has at least 160 random bits: every position takes every character", () => {
  const secrets = Array.from({ length: 3_000 }, () => generateToken().slice(TOKEN_PREFIX.length, -6));
  const places = secrets[0]?.length ?? 0;
  expect(places * Math.log2(62)).toBeGreaterThan(160);
  for (let place = 0; place < places; place++) expect(new Set(secrets.map((secret) => secret[place])).size).toBe(62);
});

test("any single mistyped character is detected", () => {
  const token = generateToken();
  for (let place = 0; place < token.length; place++) {
    const other = token[place] === "a" ? "b" : "a";
    expect(isToken(token.slice(0, place) + other + token.slice(place + 1)), `place ${place}`).toBe(false);
  }
});

test.each([
  "",
  "ragstone_live_",
  "ragstone_test_abc",
  "x".repeat(10_000),
  `${generateToken()} `,
  `${generateToken()}\n`,
  generateToken().slice(0, -1),
  `${generateToken()}0`,
  generateToken().toUpperCase(),
  "ragstone_live_ключ",
])("is not a token: %j", (text) => {
  expect(isToken(text)).toBe(false);
});

test("the hash is the SHA-256 of the whole token", () => {
  expect(hashToken("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("the mask shows the prefix, twelve asterisks and the last four characters", () => {
  expect(maskToken("x9Qz")).toBe("ragstone_live_************x9Qz");
});
