import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { listManaged } from "@/lib/knowledge/manage/list.ts";
import { putSource } from "@/lib/knowledge/manage/put.ts";
import { acceptedSource, listResponse } from "@/lib/knowledge/manage/responses.ts";
import { listQuery, MANAGE_BODY_BYTES_MAX, mergeQuery, putSourceRequest } from "@/lib/knowledge/manage/schema.ts";
import { acceptedReply, ifMatchOf } from "./replies.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/sources", {
  GET: endpoint({
    access: "manage",
    query: listQuery,
    response: listResponse,
    handler: async ({ scope, actor, query }) => ({ body: await listManaged(scope, actor, query) }),
  }),
  PUT: endpoint({
    access: "ingest",
    query: mergeQuery,
    body: putSourceRequest,
    bodyBytesMax: MANAGE_BODY_BYTES_MAX,
    response: acceptedSource,
    async handler({ scope, actor, query, body, request }) {
      const options = { ifMatch: ifMatchOf(request), merge: query.merge };
      return acceptedReply(await putSource(scope, actor, body, options));
    },
  }),
});
