import { VARIABLE_NAMES } from "../env.ts";

/** Unsets the settings of the developer's shell in this process. Empty values also override those in `.env`. */
export function unsetVariables(): void {
  for (const name of [...VARIABLE_NAMES, "RAGSTONE_URL", "RAGSTONE_API_KEY"]) process.env[name] = "";
  // empty means off for this one
  process.env.OCR_LANGUAGES = "eng,ita";
}
