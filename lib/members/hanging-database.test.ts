import { afterAll, beforeAll, expect, test } from "vitest";
import { closeConnection, connect, setConnection } from "../db/client.ts";
import { silentDatabase } from "../testing/silent-database.ts";
import { userOfIdentity } from "./identity.ts";
import { acceptInvitation, joinWithNewPassword, joinWithPassword, readInvitation, redeemReset } from "./redeem.ts";
import { completeSetup, setupIsOpen } from "./setup.ts";
import { signIn } from "./sign-in.ts";

const password = "granite marl slate";
const person = { name: "Ada", email: "ada@example.com", password };
const claims = { iss: "https://id.example", sub: "1", email: person.email, email_verified: true };

let database: Awaited<ReturnType<typeof silentDatabase>>;
beforeAll(async () => {
  database = await silentDatabase();
  setConnection(connect({ url: database.url }));
});
afterAll(async () => {
  database.close();
  await closeConnection();
});

test("while the database hangs, nobody who signs in waits, and no sign-in keeps others from their turn", async () => {
  const begun = performance.now();
  const signIns = Array.from({ length: 40 }, () => signIn({ email: person.email, password }));
  const outcomes = await Promise.allSettled([
    ...signIns,
    acceptInvitation({ token: "t", name: "Ada", password }),
    joinWithPassword({ token: "t", password }),
    joinWithNewPassword({ token: "t", password }, null),
    readInvitation("t"),
    redeemReset({ token: "t", password }),
    completeSetup({ ...person, code: "c", companyName: "Marl" }),
    setupIsOpen(),
    userOfIdentity(claims),
  ]);
  expect(performance.now() - begun).toBeLessThan(10_000);
  const errors = outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason.error : "none"));
  expect(errors).toEqual(outcomes.map(() => "ServiceUnavailable"));
});
