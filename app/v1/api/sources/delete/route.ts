import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { deleteManaged } from "@/lib/knowledge/manage/delete-many.ts";
import { deleteResponse } from "@/lib/knowledge/manage/responses.ts";
import { deleteRequest, MANAGE_BODY_BYTES_MAX } from "@/lib/knowledge/manage/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/sources/delete", {
  POST: endpoint({
    access: "manage",
    body: deleteRequest,
    bodyBytesMax: MANAGE_BODY_BYTES_MAX,
    response: deleteResponse,
    async handler({ scope, actor, body }) {
      return { body: { deleted: await deleteManaged(scope, actor, body) } };
    },
  }),
});
