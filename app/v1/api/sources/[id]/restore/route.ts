import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { deletedSource } from "@/lib/knowledge/manage/responses.ts";
import { sourceParams } from "@/lib/knowledge/manage/schema.ts";
import { restoreSource } from "@/lib/knowledge/restore.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/sources/[id]/restore", {
  POST: endpoint({
    access: "manage",
    params: sourceParams,
    response: deletedSource,
    async handler({ scope, actor, params: { id } }) {
      return { body: { id, ...(await restoreSource(scope, actor, id)) } };
    },
  }),
});
