import { expect, test } from "vitest";
import { fc } from "../testing/property.ts";
import { type Proof, proofOf } from "./proof.ts";

const ID = "4a1d9f2e-5b6c-4d7e-8f90-a1b2c3d4e5f6";
const user = fc.record({
  id: fc.constant(ID),
  passwordHash: fc.option(fc.constant("hash")),
  emailProvenAt: fc.option(fc.constant(new Date(0))),
});
const invited = fc.record({
  user: fc.option(user),
  mailed: fc.boolean(),
  companies: fc.nat({ max: 3 }),
  signedInAs: fc.option(fc.constantFrom(ID, "someone else")),
});

const linkOnlyProofs: Proof[] = ["account", "new-password"];

test("a link that an admin saw opens no account that another company uses", () => {
  fc.assert(
    fc.property(invited, (given) => {
      fc.pre(!given.mailed && given.user !== null && given.companies > 0 && given.signedInAs === null);
      expect(linkOnlyProofs).not.toContain(proofOf(given));
    }),
  );
});

test("an account with an unproven email never joins with its existing password", () => {
  fc.assert(
    fc.property(invited, (given) => {
      fc.pre(given.user !== null && given.user.emailProvenAt === null);
      expect(["join", "password"]).not.toContain(proofOf(given));
    }),
  );
});

test("someone signed in as another user learns nothing about the account", () => {
  fc.assert(
    fc.property(invited, (given) => {
      expect(proofOf({ ...given, signedInAs: "someone else" })).toBe("sign-out");
    }),
  );
});
