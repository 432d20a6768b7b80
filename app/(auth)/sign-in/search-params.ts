import { createLoader } from "nuqs/server";
import { parseAsText } from "@/lib/http/search-params.ts";

/** Where to go after sign-in, and why single sign-on failed. */
const signInParams = {
  /** A path of this site. */
  next: parseAsText,
  /** An error code of the sign-in library. */
  error: parseAsText,
};

export const loadSignInParams = createLoader(signInParams);
