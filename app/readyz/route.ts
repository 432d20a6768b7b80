import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint.ts";
import { checkReadiness } from "@/lib/http/readiness.ts";
import { apiRoute } from "@/lib/http/route.ts";

const ok = z.literal("ok");
const count = z.int().nonnegative();
const indexMemory = z.strictObject({ maxBytes: count, usedBytes: count, hits: count, misses: count, loads: count });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/readyz", {
  GET: endpoint({
    access: "public",
    response: z.strictObject({ status: ok, database: ok, models: ok, indexMemory }),
    handler: async () => ({ body: { status: "ok", ...(await checkReadiness()) } }),
  }),
});
