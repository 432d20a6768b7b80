import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { changeUsers, createUser, updateUser, userByEmail, userById } from "../db/system/users.ts";
import { testDatabase } from "../testing/database.ts";
import { userOfIdentity } from "./identity.ts";
import { hashPassword } from "./password.ts";
import { createMemberInput } from "./schema.ts";
import { signIn } from "./sign-in.ts";

testDatabase();

const password = "granite marl slate";
const passwordHash = await hashPassword(password);

function newUser(values: { name: string; passwordHash?: string }) {
  return changeUsers((tx) => createUser(tx, { email: `${randomUUID()}@example.com`, ...values }));
}

async function person() {
  return newUser({ name: "Ada", passwordHash });
}

async function fail(email: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) expect(await signIn({ email, password: "a wrong one" })).toBeNull();
}

test("signs in with the email as typed and the password as set", async () => {
  const { id, email } = await person();
  expect(await signIn({ email: ` ${email.toUpperCase()} `, password })).toMatchObject({ id });
  expect(await signIn({ email, password: ` ${password}` })).toBeNull();
  expect(await signIn({ email, password: "" })).toBeNull();
  expect(await signIn({ email: "nobody@example.com", password })).toBeNull();
  expect(await signIn({ email: undefined, password: undefined })).toBeNull();
});

test("an email with a Kelvin sign, whose lower case is a k, is not the one with a k", async () => {
  const name = `${randomUUID()}@example.com`;
  const [email, kelvin] = [`mike-${name}`, `mi\u212Ae-${name}`];
  const { id } = await changeUsers((tx) => createUser(tx, { email: email.toUpperCase(), name: "Mike", passwordHash }));
  const claims = { iss: "https://id.example", sub: randomUUID(), email_verified: true };
  expect(await userOfIdentity({ ...claims, email: kelvin })).toBe("AccessDenied");
  expect(await userByEmail(kelvin)).toBeNull();
  expect(await signIn({ email: kelvin, password })).toBeNull();
  expect(createMemberInput.safeParse({ email: kelvin, name: "Mike", role: "admin" }).success).toBe(false);
  expect(await userOfIdentity({ ...claims, email: email.toUpperCase() })).toMatchObject({ id, email });
});

test("a user without a password cannot sign in with one", async () => {
  const { email } = await newUser({ name: "Elsewhere" });
  expect(await signIn({ email, password: "" })).toBeNull();
  expect(await signIn({ email, password })).toBeNull();
});

test("the fifth failure starts a pause in which the right password is refused, and the pauses grow", async () => {
  const { id, email } = await person();
  await fail(email, 5);
  expect(await signIn({ email, password })).toBeNull();
  const pauses = [await pauseOf(id)];
  for (const _ of [1, 2]) {
    await updateUser(id, { lockedUntil: new Date(Date.now() - 1_000) });
    await fail(email, 1);
    pauses.push(await pauseOf(id));
  }
  expect(pauses.map((seconds) => Math.round(seconds / 30))).toEqual([1, 2, 4]);

  await updateUser(id, { lockedUntil: new Date(Date.now() - 1_000) });
  expect(await signIn({ email, password })).toMatchObject({ id });
  expect(await userById(id)).toMatchObject({ failedSignIns: 0, lockedUntil: null });
});

test("attempts during a pause do not lengthen it", async () => {
  const { id, email } = await person();
  await fail(email, 5);
  const before = await userById(id);
  await fail(email, 3);
  expect(await userById(id)).toEqual(before);
});

test("the pause is never longer than 15 minutes", async () => {
  const { id, email } = await person();
  await updateUser(id, { failedSignIns: 1_000_000 });
  await fail(email, 1);
  expect(Math.round((await pauseOf(id)) / 60)).toBe(15);
});

test("concurrent attempts are counted before their passwords are checked", async () => {
  const { id, email } = await person();
  await Promise.all(Array.from({ length: 12 }, () => signIn({ email, password: "a wrong one" })));
  expect((await userById(id))?.failedSignIns).toBe(5);
});

test("an unknown person costs as much as a wrong password", async () => {
  const { email } = await person();
  // processor time, because other processes can make either wait
  const cost = async (address: string) => {
    const before = process.cpuUsage();
    await signIn({ email: address, password: "a wrong one" });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const costs: Record<"unknown" | "known", number[]> = { unknown: [], known: [] };
  // no more attempts than the pause allows
  for (let i = 0; i < 4; i++) {
    costs.unknown.push(await cost("nobody@example.com"));
    costs.known.push(await cost(email));
  }
  // the least of each, because the process also collects garbage
  const [unknown, known] = [Math.min(...costs.unknown), Math.min(...costs.known)];
  expect(unknown).toBeGreaterThan(known * 0.5);
  expect(unknown).toBeLessThan(known * 2);
});

test("a flood of sign-ins is refused, and does not count as failed attempts", async () => {
  const { id, email } = await person();
  const flood = Array.from({ length: 60 }, () => hashPassword(password));
  const mine = expect(signIn({ email, password: "a wrong one" })).rejects.toMatchObject({
    error: "TooManyRequests",
    headers: { "Retry-After": "5" },
  });
  const outcomes = await Promise.allSettled(flood);
  const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  expect(refusals.length).toBeGreaterThanOrEqual(60 - 22);
  expect(new Set(refusals.map(({ error, message }) => `${error}: ${message}`))).toEqual(
    new Set(["TooManyRequests: Too many sign-ins at the moment. Retry in a few seconds."]),
  );
  await mine;
  expect(await userById(id)).toMatchObject({ failedSignIns: 0 });
  expect(await signIn({ email, password })).toMatchObject({ id });
});

async function pauseOf(id: string): Promise<number> {
  const user = await userById(id);
  return ((user?.lockedUntil?.getTime() ?? 0) - Date.now()) / 1_000;
}
