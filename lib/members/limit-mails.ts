import { counted } from "../counted.ts";
import type { TenantScope } from "../db/tenant.ts";
import { isMailConfigured } from "../mail.ts";
import { consumeRateLimit } from "../rate-limit.ts";

/** Enough to invite a team, too few for a company to misuse the operator's mail server. */
const COMPANY_MAILS_PER_MINUTE = 10;
/** Across all companies, because they share the mail server. */
const RECIPIENT_MAILS_PER_MINUTE = 1;

/**
 * Counts a mail that an admin sends. Without mail, links are only shown, so nothing is counted.
 * @throws {AppError} TooManyRequests
 */
export async function limitMails({ companyId }: TenantScope, email: string): Promise<void> {
  if (!isMailConfigured()) return;
  // first, so that repeating a refused mail does not use up the company's limit
  await consumeRateLimit({
    id: `mails to ${email}`,
    perMinute: RECIPIENT_MAILS_PER_MINUTE,
    message: limitMessage(`${counted(RECIPIENT_MAILS_PER_MINUTE, "email")} to ${email}`),
  });
  await consumeRateLimit({
    id: `mails of ${companyId}`,
    perMinute: COMPANY_MAILS_PER_MINUTE,
    message: limitMessage(counted(COMPANY_MAILS_PER_MINUTE, "email")),
  });
}

function limitMessage(mails: string): (seconds: number) => string {
  return (seconds) => `Limit of ${mails} per minute reached. Retry in ${counted(seconds, "second")}.`;
}
