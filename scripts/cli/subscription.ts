import type { Command } from "commander";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { companyScope } from "../../lib/companies/service.ts";
import { parseInput } from "../../lib/errors.ts";
import { setSubscriptionInput } from "../../lib/subscriptions/schema.ts";
import { setSubscription } from "../../lib/subscriptions/service.ts";
import { example, run } from "./context.ts";

export function subscriptionCommands(subscription: Command): void {
  const set = subscription
    .command("set")
    .description("Set the status immediately; --until sets the end of the period, otherwise it has none")
    .requiredOption("--company <id>", "the company")
    .requiredOption("--status <STATUS>", "ACTIVE, TRIALING, PAST_DUE, INCOMPLETE, UNPAID, PAUSED, CANCELLED or EXPIRED")
    .option("--until <ISO date>", "the end of the period")
    .action((options: { company: string; status: string; until?: string }, command: Command) =>
      run(command, async () => {
        const scope = await companyScope(options.company);
        const input = parseInput(setSubscriptionInput, { status: options.status, currentPeriodEnd: options.until });
        const { status, currentPeriodEnd } = await setSubscription(scope, CLI_ACTOR, input);
        return {
          value: { companyId: options.company, status, currentPeriodEnd },
          lines: [
            `${options.company}  ${status}${currentPeriodEnd ? `  until ${currentPeriodEnd.toISOString()}` : ""}`,
          ],
        };
      }),
    );
  example(set, "subscription set --company <id> --status TRIALING --until 2030-01-31");
}
