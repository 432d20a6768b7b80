import { difyError, pathOf, toRecords, toRetrieveRequest } from "@/lib/adapters/dify/map.ts";
import { difyRequest, difyResponse } from "@/lib/adapters/dify/schema.ts";
import { env } from "@/lib/env.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { retrievalHeaders } from "@/lib/http/retrieval-stream.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { requireSourceAt } from "@/lib/retrieval/require-source.ts";
import { queueRefusal } from "@/lib/retrieval/search-queue.ts";
import { retrievalOptions, retrieve } from "@/lib/retrieval/service.ts";

const POST_RETRIEVAL = endpoint({
  access: "retrieve",
  capacityRefusal: queueRefusal,
  body: difyRequest,
  response: difyResponse,
  async handler({ key, scope, body, requestId, signal }) {
    const path = pathOf(body, key.companyId);
    const request = toRetrieveRequest(body, path);
    if (path) await requireSourceAt(scope, request, key.policy);
    const found = await retrieve(scope, request, retrievalOptions(key, { requestId, signal, via: "dify" }));
    return { body: toRecords(found.response.results, env().publicUrl), headers: retrievalHeaders(found) };
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  "/v1/api/dify/retrieval",
  { POST: POST_RETRIEVAL },
  { dialect: difyError, via: "dify" },
);
