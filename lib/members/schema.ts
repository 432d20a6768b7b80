import { z } from "zod";
import { ROLES } from "../db/values.ts";

export const PASSWORD_LENGTH_MIN = 10;
export const PASSWORD_LENGTH_MAX = 200;

export const email = z
  .string("must be a string")
  .trim()
  .toLowerCase()
  .pipe(z.email("must be an e-mail address, for example ada@example.com"));

export const personName = z
  .string("must be a string")
  .trim()
  .min(1, "must not be empty")
  .max(100, "must have at most 100 characters");

export const password = z
  .string("must be a string")
  .min(PASSWORD_LENGTH_MIN, `must have at least ${PASSWORD_LENGTH_MIN} characters`)
  .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`);

export const role = z.enum(ROLES, `must be one of ${ROLES.join(", ")}`);

export const createMemberInput = z.object({ email, name: personName, role, password: password.optional() });

export type CreateMemberInput = z.input<typeof createMemberInput>;
