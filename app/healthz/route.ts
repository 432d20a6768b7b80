import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/healthz", {
  GET: endpoint({
    access: "public",
    response: z.strictObject({ status: z.literal("ok") }),
    handler: async () => ({ body: { status: "ok" } }),
  }),
});
