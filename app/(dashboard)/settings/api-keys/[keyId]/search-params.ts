import { createLoader, parseAsStringLiteral } from "nuqs/server";

/** Which calls of the key are shown; all unless it says so. */
const keyParams = { calls: parseAsStringLiteral(["errors"]) };

export const loadKeyParams = createLoader(keyParams);
