import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { verificationResponse } from "@/lib/knowledge/manage/responses.ts";
import { sourceParams, verifyRequest } from "@/lib/knowledge/manage/schema.ts";
import { verifySource, withdrawSource } from "@/lib/knowledge/manage/verification.ts";
import { ifMatchOf } from "../../replies.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/sources/[id]/verification", {
  PUT: endpoint({
    access: "manage",
    params: sourceParams,
    body: verifyRequest,
    response: verificationResponse,
    async handler({ scope, actor, params, body, request }) {
      return { body: await verifySource(scope, actor, params.id, { ...body, versionId: ifMatchOf(request) }) };
    },
  }),
  DELETE: endpoint({
    access: "manage",
    params: sourceParams,
    response: verificationResponse,
    handler: async ({ scope, actor, params }) => ({ body: await withdrawSource(scope, actor, params.id) }),
  }),
});
