import { answerMcp } from "@/lib/adapters/mcp/answer-mcp.ts";
import { keyActor } from "@/lib/api-keys/authenticate.ts";
import { env } from "@/lib/env.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  "/mcp",
  {
    POST: endpoint({
      access: "retrieve",
      handler: ({ key, scope, request, requestId, signal, refuse }) =>
        answerMcp(request, { scope, actor: keyActor(key), requestId, signal, refuse, publicUrl: env().publicUrl }),
    }),
  },
  { via: "mcp" },
);
