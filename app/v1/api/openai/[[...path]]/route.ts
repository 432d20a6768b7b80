import { openAiError } from "@/lib/adapters/openai/errors.ts";
import { apiRoute } from "@/lib/http/route.ts";

// OpenAI's client shows only errors in its own form, so a call that does not exist here needs one
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  "/v1/api/openai/*",
  {},
  { dialect: openAiError, via: "openai" },
);
