import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { widenToOf } from "@/lib/knowledge/intake/widening.ts";
import { putBatch } from "@/lib/knowledge/manage/put.ts";
import { batchResponse } from "@/lib/knowledge/manage/responses.ts";
import { batchInput, batchQuery, batchRequest, MANAGE_BODY_BYTES_MAX } from "@/lib/knowledge/manage/schema.ts";
import { batchReply } from "../replies.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/sources/batch", {
  POST: endpoint({
    access: "ingest",
    query: batchQuery,
    body: batchInput,
    bodyFields: batchRequest,
    bodyBytesMax: MANAGE_BODY_BYTES_MAX,
    linesField: "sources",
    response: batchResponse,
    async handler({ scope, actor, query, body }) {
      const options = { widenTo: widenToOf(query.widen), merge: query.merge };
      return batchReply(await putBatch(scope, actor, body.sources, options));
    },
  }),
});
