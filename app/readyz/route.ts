import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint.ts";
import { checkReadiness } from "@/lib/http/readiness.ts";
import { apiRoute } from "@/lib/http/route.ts";

const ok = z.literal("ok");

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/readyz", {
  GET: endpoint({
    access: "public",
    response: z.strictObject({ status: ok, database: ok, models: ok }),
    handler: async () => ({ body: { status: "ok", ...(await checkReadiness()) } }),
  }),
});
