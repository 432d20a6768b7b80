import type { Accepted } from "../../lib/knowledge/intake/accept.ts";
import { relabelledOf } from "../../lib/label-changes.ts";

/** The sources whose labels changed: a field for `--json`, if there are any, and lines for people. */
export function labelOutcome(accepted: Accepted[]) {
  const { sources } = relabelledOf(accepted, accepted.length);
  return {
    relabelled: sources.length > 0 ? { relabelled: sources } : {},
    changes: sources.flatMap(({ sourceId, changes }) => changes.map((change) => `${sourceId}: ${change}`)),
  };
}
