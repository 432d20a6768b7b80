import { attachment } from "@/lib/http/attachment.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { originalOf } from "@/lib/knowledge/browse/source-page.ts";
import { sourceParams } from "@/lib/knowledge/manage/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/sources/[id]/original", {
  GET: endpoint({
    access: "manage",
    params: sourceParams,
    async handler({ scope, actor, params }) {
      const { name, stream } = await originalOf(scope, actor, params.id);
      return { stream, headers: attachment(name) };
    },
  }),
});
