import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { textOfSource } from "@/lib/knowledge/manage/read.ts";
import { sourceParams } from "@/lib/knowledge/manage/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/sources/[id]/text", {
  GET: endpoint({
    access: "manage",
    params: sourceParams,
    async handler({ scope, actor, params }) {
      const text = await textOfSource(scope, actor, params.id);
      return { stream: new Blob([text]).stream(), headers: { "Content-Type": "text/markdown; charset=utf-8" } };
    },
  }),
});
