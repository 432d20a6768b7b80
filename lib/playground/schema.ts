import { z } from "zod";
import { retrieveRequest } from "../retrieval/schema.ts";
import { textInput } from "../text-input.ts";

/** A question as the API takes it, held to a key's policy when one is chosen. */
export const runInput = z.object({ request: retrieveRequest, keyId: z.uuid().nullable() });

/** With the title or identifier of a source that was expected. */
export const whyNotInput = runInput.extend({
  name: textInput().trim().min(1, "must not be empty").max(512, "must have at most 512 characters"),
});
