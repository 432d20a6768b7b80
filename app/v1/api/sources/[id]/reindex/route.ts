import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { reindexSource } from "@/lib/knowledge/intake/relabel.ts";
import { acceptedSource } from "@/lib/knowledge/manage/responses.ts";
import { sourceParams } from "@/lib/knowledge/manage/schema.ts";
import { acceptedReply } from "../../replies.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/sources/[id]/reindex", {
  POST: endpoint({
    access: "manage",
    params: sourceParams,
    response: acceptedSource,
    handler: async ({ scope, actor, params }) => acceptedReply(await reindexSource(scope, actor, params.id)),
  }),
});
