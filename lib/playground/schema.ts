import { z } from "zod";
import { retrieveRequest } from "../retrieval/schema.ts";
import { textInput } from "../text-input.ts";

/** A request as the API takes it; with a key, its policy applies. */
export const runInput = z.object({ request: retrieveRequest, keyId: z.uuid().nullable() });

/** A request with the title or identifier of an expected source. */
export const whyNotInput = runInput.extend({
  name: textInput().trim().min(1, "must not be empty").max(512, "must have at most 512 characters"),
});
