import { countText } from "@/lib/counted.ts";

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

export function shareWords(part: number, whole: number): string {
  return whole === 0 ? "–" : percent.format(part / whole);
}

/** "250 ms", or "1.2 s" from one second on. */
export function timeWords(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

export function timesWords(times: number): string {
  return times === 1 ? "once" : `${countText(times)} times`;
}
