import { endpoint } from "@/lib/http/endpoint.ts";
import { acceptsEventStream } from "@/lib/http/event-stream.ts";
import { retrievalHeaders, streamReply } from "@/lib/http/retrieval-stream.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { retrieveRequest, retrieveResponse } from "@/lib/retrieval/schema.ts";
import { retrievalByKey, retrieve, streamRetrieval } from "@/lib/retrieval/service.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/rag/retrieve", {
  POST: endpoint({
    access: "retrieve",
    body: retrieveRequest,
    response: retrieveResponse,
    async handler({ key, scope, body, request, requestId, signal }) {
      const options = retrievalByKey(key, { requestId, signal });
      if (acceptsEventStream(request)) return streamReply(streamRetrieval(scope, body, options), requestId);
      const found = await retrieve(scope, body, options);
      return { body: found.response, headers: retrievalHeaders(found) };
    },
  }),
});
