import { createLoader } from "nuqs/server";
import { parseAsText } from "@/lib/http/search-params.ts";

/** Why the person is here, and where they go on to. */
const signInParams = {
  /** A path of this site. */
  next: parseAsText,
  /** As the sign-in library names it. */
  error: parseAsText,
};

export const loadSignInParams = createLoader(signInParams);
