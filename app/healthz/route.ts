import { z } from "zod";
import { openEndpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/healthz", {
  GET: openEndpoint({
    response: z.strictObject({ status: z.literal("ok") }),
    handler: async () => ({ body: { status: "ok" } }),
  }),
});
