import { statusResponse } from "@/lib/api-keys/schema.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/status", {
  GET: endpoint({
    access: "retrieve",
    asks: false,
    response: statusResponse,
    async handler({ key: { id, name, companyId, maskedToken } }) {
      const timestamp = new Date().toISOString();
      return { body: { status: "ok", timestamp, apiKey: { id, name, companyId, maskedToken } } };
    },
  }),
});
