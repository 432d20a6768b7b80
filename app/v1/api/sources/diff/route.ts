import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { diffSources } from "@/lib/knowledge/manage/diff.ts";
import { diffResponse } from "@/lib/knowledge/manage/responses.ts";
import { diffRequest, MANAGE_BODY_BYTES_MAX } from "@/lib/knowledge/manage/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/sources/diff", {
  POST: endpoint({
    access: "ingest",
    body: diffRequest,
    bodyBytesMax: MANAGE_BODY_BYTES_MAX,
    response: diffResponse,
    handler: async ({ scope, actor, body }) => ({ body: await diffSources(scope, actor, body) }),
  }),
});
