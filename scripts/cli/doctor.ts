import type { Command } from "commander";
import { messageOf } from "../../lib/errors.ts";
import { CHECKS, type Check } from "./checks.ts";
import { example, run } from "./context.ts";

interface Finding {
  name: string;
  ok: boolean;
  detail: string;
}

export function doctorCommand(doctor: Command): void {
  doctor.action((_options: object, command: Command) =>
    run(
      command,
      async () => {
        const checks = await runChecks(CHECKS);
        const bad = checks.filter(({ ok }) => !ok);
        return {
          value: { ok: bad.length === 0, checks },
          lines: checks.map(({ name, ok, detail }) => `${ok ? "ok  " : "BAD "} ${name}: ${detail}`),
          ...(bad.length > 0 && { failure: `Failed checks: ${bad.map(({ name }) => name).join(", ")}` }),
        };
      },
      { database: "none" },
    ),
  );
  example(doctor, "doctor --json");
}

/** Runs the checks one after another, and skips those that need a failed check. */
async function runChecks(checks: Check[]): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  for (const { name, needs = [], run: runCheck } of checks) {
    const missing = needs.filter((each) => !findings.get(each)?.ok);
    if (missing.length > 0) {
      findings.set(name, { name, ok: false, detail: `not checked, because these failed: ${missing.join(", ")}` });
      continue;
    }
    try {
      findings.set(name, { name, ok: true, detail: await runCheck() });
    } catch (error) {
      findings.set(name, { name, ok: false, detail: messageOf(error) });
    }
  }
  return [...findings.values()];
}
