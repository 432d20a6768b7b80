import { createHash } from "node:crypto";

/** The key of a company's text in a cache. It is short for long texts, and differs for the same text of two companies. */
export function companyTextKey(companyId: string, text: string): string {
  return createHash("sha256").update(`${companyId}\n${text}`).digest("base64");
}
