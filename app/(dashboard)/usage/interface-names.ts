import type { Adapter, Interface } from "@/lib/db/column-values.ts";

/** The adapters, as in "Website via MCP". */
export const ADAPTER_NAMES: Record<Adapter, string> = { mcp: "MCP", dify: "Dify", openai: "the OpenAI API" };

/** The interfaces that keys use, as a table cell. */
export const INTERFACE_NAMES: Record<Interface, string> = {
  api: "Management API",
  mcp: "MCP",
  dify: "Dify",
  openai: "OpenAI API",
};
