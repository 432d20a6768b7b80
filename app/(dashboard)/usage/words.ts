import type { Adapter, Interface } from "@/lib/db/column-values.ts";

const count = new Intl.NumberFormat("en");
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

export function countWords(value: number): string {
  return count.format(value);
}

export function shareWords(part: number, whole: number): string {
  return whole === 0 ? "–" : percent.format(part / whole);
}

/** "250 ms", or "1.2 s" from one second on. */
export function timeWords(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

export function timesWords(times: number): string {
  return times === 1 ? "once" : `${count.format(times)} times`;
}

/** The adapters, as in "Website via MCP". */
export const ADAPTER_NAMES: Record<Adapter, string> = { mcp: "MCP", dify: "Dify", openai: "the OpenAI API" };

/** The interfaces that keys use, as a table cell. */
export const INTERFACE_NAMES: Record<Interface, string> = {
  api: "Management API",
  mcp: "MCP",
  dify: "Dify",
  openai: "OpenAI API",
};
