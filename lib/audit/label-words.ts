import { z } from "zod";
import { counted } from "../counted.ts";
import { describeChange, LABELS } from "../label-changes.ts";

const CHANGES_SHOWN = 5;

const labelChanges = z.array(
  z.object({
    label: z.enum(LABELS),
    before: z.unknown(),
    after: z.unknown(),
    sources: z.array(z.string()),
    moreSources: z.number().default(0),
  }),
);

interface LabelDetail {
  labels?: unknown;
  /** Changes that the event does not list. */
  moreChanges?: unknown;
}

/** Describes the changed labels of an event: "Audience: internal → ai_agent (3 sources)". */
export function labelChangeWords({ labels, moreChanges }: LabelDetail): string[] {
  const changes = labelChanges.safeParse(labels).data ?? [];
  const words = changes.slice(0, CHANGES_SHOWN).map(({ sources, moreSources, ...change }) => {
    const total = sources.length + moreSources;
    return total === 1 && changes.length > 1
      ? `${sources[0]}: ${describeChange(change)}`
      : `${describeChange(change)} (${counted(total, "source")})`;
  });
  const more = changes.length - words.length;
  if (more > 0) words.push(counted(more, "more change"));
  if (typeof moreChanges === "number") words.push(`${counted(moreChanges, "more change")} not listed in this log`);
  return words;
}
