import { tenantScope } from "@/lib/db/tenant.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { nameList, serverTiming } from "@/lib/http/headers.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { retrieveRequest, retrieveResponse } from "@/lib/retrieval/schema.ts";
import { retrieve } from "@/lib/retrieval/service.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/rag/retrieve", {
  POST: endpoint({
    access: "retrieve",
    body: retrieveRequest,
    response: retrieveResponse,
    async handler({ key, body, requestId, signal }) {
      const context = { policy: key.policy, signal, origin: "api", apiKeyId: key.id, requestId } as const;
      const found = await retrieve(tenantScope(key.companyId), body, context);
      const headers = {
        ...serverTiming(found.stages),
        ...nameList("X-Ragstone-Degraded", found.degraded),
        ...nameList("X-Ragstone-Truncated-Fields", found.truncatedFields),
      };
      return { body: found.response, headers };
    },
  }),
});
