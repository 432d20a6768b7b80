import { z } from "zod";
import { env } from "@/lib/env.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { openApiDocument } from "@/lib/openapi/openapi.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/openapi.json", {
  GET: endpoint({
    access: "public",
    response: z.looseObject({ openapi: z.string() }),
    handler: async () => ({ body: { ...openApiDocument(env().publicUrl) } }),
  }),
});
