import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { relabelSource } from "@/lib/knowledge/intake/relabel.ts";
import { followSource, waitApplied, waitSeconds } from "@/lib/knowledge/manage/follow.ts";
import { putOf } from "@/lib/knowledge/manage/put.ts";
import { acceptedSource, deletedSource, sourceResponse } from "@/lib/knowledge/manage/responses.ts";
import { labelsRequest, sourceParams } from "@/lib/knowledge/manage/schema.ts";
import { deleteSource } from "@/lib/knowledge/service.ts";
import { acceptedReply, etagOf, ifMatchOf } from "../replies.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/sources/[id]", {
  GET: endpoint({
    access: "ingest",
    params: sourceParams,
    response: sourceResponse,
    async handler({ scope, actor, params, request: { headers }, signal }) {
      const seconds = waitSeconds(headers);
      const source = await followSource(scope, actor, params.id, { seconds, signal });
      return { body: source, headers: { ...etagOf(source), ...waitApplied(seconds) } };
    },
  }),
  PATCH: endpoint({
    access: "ingest",
    params: sourceParams,
    body: labelsRequest,
    response: acceptedSource,
    async handler({ scope, actor, params, body, request }) {
      const options = { ifMatch: ifMatchOf(request) };
      return acceptedReply(putOf(await relabelSource(scope, actor, params.id, body, options)));
    },
  }),
  DELETE: endpoint({
    access: "manage",
    params: sourceParams,
    response: deletedSource,
    async handler({ scope, actor, params: { id } }) {
      return { body: { id, ...(await deleteSource(scope, actor, id)) } };
    },
  }),
});
