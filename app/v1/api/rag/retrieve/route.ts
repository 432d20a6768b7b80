import { endpoint } from "@/lib/http/endpoint.ts";
import { acceptsEventStream } from "@/lib/http/event-stream.ts";
import { retrievalHeaders, streamReply } from "@/lib/http/retrieval-stream.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { retrieveRequest, retrieveResponse } from "@/lib/retrieval/schema.ts";
import { retrieve, streamRetrieval } from "@/lib/retrieval/service.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/rag/retrieve", {
  POST: endpoint({
    access: "retrieve",
    body: retrieveRequest,
    response: retrieveResponse,
    async handler({ key, scope, body, request, requestId, signal }) {
      const context = { policy: key.policy, signal, origin: "api", apiKeyId: key.id, requestId } as const;
      if (acceptsEventStream(request)) return streamReply(streamRetrieval(scope, body, context), requestId);
      const found = await retrieve(scope, body, context);
      return { body: found.response, headers: retrievalHeaders(found) };
    },
  }),
});
