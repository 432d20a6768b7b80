import { Badge, type Tone } from "@/components/ui/badge.tsx";
import type { ListedState } from "@/lib/test-questions/states.ts";

export const STATE_WORDS: Record<ListedState, string> = {
  passed: "Passed",
  failed: "Failed",
  unknown: "Not asked",
  new: "Not run yet",
};

const TONES: Record<ListedState, Tone> = { passed: "success", failed: "danger", unknown: "warning", new: "neutral" };

export function StateBadge({ state }: { state: ListedState }) {
  return <Badge tone={TONES[state]}>{STATE_WORDS[state]}</Badge>;
}
