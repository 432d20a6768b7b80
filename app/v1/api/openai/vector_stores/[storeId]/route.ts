import { openAiError } from "@/lib/adapters/openai/errors.ts";
import { requireStore } from "@/lib/adapters/openai/ids.ts";
import { toVectorStore } from "@/lib/adapters/openai/map.ts";
import { storePath, vectorStore } from "@/lib/adapters/openai/schema.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { summarizeKnowledge } from "@/lib/knowledge/browse/page-sources.ts";

const GET_STORE = endpoint({
  access: "retrieve",
  asks: false,
  params: storePath,
  response: vectorStore,
  async handler({ key, scope, actor, params }) {
    requireStore(key.companyId, params.storeId);
    const summary = await summarizeKnowledge(scope, actor);
    return { body: toVectorStore(key.companyId, summary) };
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  "/v1/api/openai/vector_stores/*",
  { GET: GET_STORE },
  { dialect: openAiError, via: "openai" },
);
