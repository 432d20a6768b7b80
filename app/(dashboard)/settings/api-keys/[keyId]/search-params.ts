import { createLoader, parseAsStringLiteral } from "nuqs/server";

/** Which requests of the key to show; all by default. */
const keyParams = { calls: parseAsStringLiteral(["errors"]) };

export const loadKeyParams = createLoader(keyParams);
