import { expect, test } from "vitest";
import { authenticateKey } from "../../lib/api-keys/authenticate.ts";
import { signIn } from "../../lib/members/sign-in.ts";
import { createCompany, json, ragstone, refusal } from "../../lib/testing/command-line.ts";
import { testDatabase } from "../../lib/testing/database.ts";

testDatabase();

test("companies, people, keys and subscriptions can be created and shown as JSON", async () => {
  const id = await createCompany("Strata");
  expect(await json(["company", "list"])).toContainEqual({ id, name: "Strata" });

  const email = `${id}@example.com`;
  const person = ["user", "create", "--company", id, "--email", email, "--name", "Ada", "--role", "admin"];
  const member = await json(person);
  expect(member).toEqual({ id: expect.any(String), email, role: "admin", password: expect.any(String) });
  expect((await json(["user", "password", "--email", email])).password).not.toBe(member.password);
  expect(await refusal(person)).toContain("already");

  const policy = '{"audience":["copilot"]}';
  const key = await json([
    "key",
    "create",
    "--company",
    id,
    "--name",
    "Bot",
    "--expires",
    "2090-01-31",
    "--policy",
    policy,
  ]);
  expect(key).toEqual({
    id: expect.any(String),
    name: "Bot",
    companyId: id,
    token: expect.stringMatching(/^ragstone_live_/),
    maskedToken: `ragstone_live_************${key.token.slice(-4)}`,
    expiresAt: "2090-01-31T00:00:00.000Z",
    scopes: ["retrieve"],
  });
  expect((await authenticateKey(`Bearer ${key.token}`)).policy).toEqual({ audience: ["copilot"] });
  const [listed] = await json(["key", "list", "--company", id]);
  expect(listed).toMatchObject({ id: key.id, maskedToken: key.maskedToken });
  expect(listed).not.toHaveProperty("token");

  const rotated = await json(["key", "rotate", "--id", key.id, "--overlap", "now"]);
  expect(Object.keys(rotated).sort()).toEqual(Object.keys(key).sort());
  await expect(authenticateKey(`Bearer ${key.token}`)).rejects.toThrow("invalid or expired");
  expect(await json(["key", "revoke", "--id", rotated.id])).toEqual({
    id: rotated.id,
    revokedAt: expect.any(String),
  });
  await expect(authenticateKey(`Bearer ${rotated.token}`)).rejects.toThrow("invalid or expired");

  const writer = ["key", "create", "--company", id, "--name", "Importer"];
  const { id: writerId, ...created } = await json([...writer, "--scope", "ingest", "--scope", "retrieve"]);
  expect(created.scopes).toEqual(["retrieve", "ingest"]);
  expect((await authenticateKey(`Bearer ${created.token}`)).scopes).toEqual(["retrieve", "ingest"]);
  expect((await json(["key", "rotate", "--id", writerId])).scopes).toEqual(["retrieve", "ingest"]);
  expect((await json([...writer, "--scopes", "retrieve,manage"])).scopes).toEqual(["retrieve", "manage"]);
  expect((await json(["key", "restrict", "--id", writerId, "--scope", "ingest"])).scopes).toEqual(["ingest"]);
  expect(await refusal([...writer, "--scope", "read"])).toContain("must be one of retrieve, ingest, manage");

  const subscription = ["subscription", "set", "--company", id, "--status", "TRIALING", "--until", "2090-01-31"];
  expect(await json(subscription)).toEqual({
    companyId: id,
    status: "TRIALING",
    currentPeriodEnd: "2090-01-31T00:00:00.000Z",
  });

  expect(await refusal(["company", "delete", "--id", id])).toContain("--yes");
  expect(await json(["company", "delete", "--id", id, "--yes"])).toEqual({ id });
  expect(await refusal(["key", "list", "--company", id])).toBe("Company not found");
});

test("a password can come from standard input, with its blanks", async () => {
  const id = await createCompany("Strata");
  const email = `${id}@example.com`;
  const person = ["user", "create", "--company", id, "--email", email, "--name", "Ada", "--role", "support"];
  const input = " granite marl slate \r\n";
  expect(await json([...person, "--password", "-"], { input })).not.toHaveProperty("password");
  expect(await signIn({ email, password: " granite marl slate " })).toMatchObject({ email });
});

test("a person with an account of their own joins another company with their password, and the operator is told", async () => {
  const [first, second] = [await createCompany("Strata"), await createCompany("Gneiss")];
  const email = `${first}@example.com`;
  const person = ["--email", email, "--name", "Ada", "--role", "admin", "--password", "granite marl slate"];
  const created = await ragstone(["user", "create", "--company", first, ...person, "--json"]);
  expect(created.stderr).not.toContain("account");
  const added = await ragstone(["user", "create", "--company", second, ...person, "--json"]);
  expect(added.stderr.trimEnd().split("\n")).toEqual([`${email} already has an account and keeps its password.`]);
  expect(JSON.parse(added.stdout)).toEqual(JSON.parse(created.stdout));
});

test("errors are reported in one line", async () => {
  const cases: [string[], RegExp][] = [
    [["nonsense"], /"nonsense" is not a command/],
    [["company", "nonsense"], /"nonsense" is not a command/],
    [["company", "create"], /--name/],
    [["company", "list", "--nonsense"], /--nonsense/],
    [["key", "create", "--company", "nope", "--name", "x"], /Company not found/],
    [["key", "revoke", "--id", "nope"], /not found/],
    [["company", "create", "--name", " "], /name: must not be empty/],
    [["restore", "/nope"], /does not exist/],
  ];
  const messages = await Promise.all(cases.map(([words]) => refusal(words)));
  for (const [index, [, line]] of cases.entries()) expect(messages[index]).toMatch(line);
});
