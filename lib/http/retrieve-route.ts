import { retrieveRequest, retrieveResponse } from "../retrieval/schema.ts";
import { queueRefusal } from "../retrieval/search-queue.ts";
import { retrievalOptions, retrieve, streamRetrieval } from "../retrieval/service.ts";
import { endpoint } from "./endpoint.ts";
import { acceptsEventStream } from "./event-stream.ts";
import { retrievalHeaders, streamReply } from "./retrieval-stream.ts";
import { apiRoute } from "./route.ts";

/** `/v1/api/rag/retrieve`. Not in the route file, which may export methods only: the server also calls `answer`. */
export const retrieveRoute = apiRoute("/v1/api/rag/retrieve", {
  POST: endpoint({
    access: "retrieve",
    capacityRefusal: queueRefusal,
    body: retrieveRequest,
    response: retrieveResponse,
    async handler({ key, scope, body, request, requestId, signal, refuse }) {
      const options = retrievalOptions(key, { requestId, signal });
      if (acceptsEventStream(request)) return streamReply(streamRetrieval(scope, body, options), { requestId, refuse });
      const found = await retrieve(scope, body, options);
      return { body: found.response, headers: retrievalHeaders(found) };
    },
  }),
});
