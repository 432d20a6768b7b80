import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { followSources, waitApplied, waitSeconds } from "@/lib/knowledge/manage/follow.ts";
import { statusesResponse } from "@/lib/knowledge/manage/responses.ts";
import { statusesRequest } from "@/lib/knowledge/manage/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/sources/status", {
  POST: endpoint({
    access: "ingest",
    body: statusesRequest,
    response: statusesResponse,
    async handler({ scope, actor, body, request: { headers }, signal }) {
      const seconds = waitSeconds(headers);
      const sources = await followSources(scope, actor, body.ids, { seconds, signal });
      return { body: { sources }, headers: waitApplied(seconds) };
    },
  }),
});
