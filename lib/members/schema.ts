import { z } from "zod";
import { ROLES } from "../db/column-values.ts";
import { foldEmail } from "../db/fold-email.ts";
import { textInput } from "../text-input.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "./limits.ts";

const email = textInput()
  .trim()
  .overwrite(foldEmail)
  .max(254, "must have at most 254 characters")
  .pipe(z.email("must be an email address, for example ada@example.com"));

const personName = textInput().trim().min(1, "must not be empty").max(100, "must have at most 100 characters");

export const password = textInput()
  .min(PASSWORD_LENGTH_MIN, `must have at least ${PASSWORD_LENGTH_MIN} characters`)
  .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`);

const role = z.enum(ROLES, `must be one of ${ROLES.join(", ")}`);

/** An existing password, not checked for length: the stored hash decides. */
const givenPassword = textInput()
  .min(1, "must not be empty")
  .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`);
const linkToken = textInput().max(100);

export const createMemberInput = z.object({ email, name: personName, role, password: password.optional() });
export const inviteInput = z.strictObject({ email, role });
export const invitationInput = z.strictObject({ id: z.uuid() });
export const memberInput = z.strictObject({ userId: z.uuid() });
export const changeRoleInput = z.strictObject({ userId: z.uuid(), role });

export const signInInput = z.strictObject({ email, password: givenPassword });
export const forgotInput = z.strictObject({ email });
export const resetInput = z.strictObject({ token: linkToken, password });
/** For a new person; an existing user gives their password instead. */
export const acceptInput = z.strictObject({ token: linkToken, name: personName, password });
export const joinInput = z.strictObject({ token: linkToken, password: givenPassword });
/** For an account with an unproven email; `current` is required when the account has other companies. */
export const rejoinInput = z.strictObject({ token: linkToken, current: givenPassword.optional(), password });
export const setupInput = z.strictObject({
  code: textInput().trim().toLowerCase().min(1, "must not be empty").max(100, "is not the set-up code"),
  companyName: textInput().trim().min(1, "must not be empty").max(100, "must have at most 100 characters"),
  name: personName,
  email,
  password,
});

export const profileInput = z.strictObject({ name: personName });
export const changePasswordInput = z.strictObject({ current: textInput().max(PASSWORD_LENGTH_MAX), password });

export type CreateMemberInput = z.input<typeof createMemberInput>;
export type InviteInput = z.input<typeof inviteInput>;
export type ChangeRoleInput = z.input<typeof changeRoleInput>;
export type SetupInput = z.input<typeof setupInput>;
export type AcceptInput = z.input<typeof acceptInput>;
export type JoinInput = z.input<typeof joinInput>;
export type RejoinInput = z.input<typeof rejoinInput>;
export type ResetInput = z.input<typeof resetInput>;
