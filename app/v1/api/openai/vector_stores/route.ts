import { openAiError } from "@/lib/adapters/openai/errors.ts";
import { toVectorStore } from "@/lib/adapters/openai/map.ts";
import { vectorStoreList } from "@/lib/adapters/openai/schema.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { summarizeKnowledge } from "@/lib/knowledge/browse/page-sources.ts";

const GET_STORES = endpoint({
  access: "retrieve",
  asks: false,
  response: vectorStoreList,
  async handler({ key, scope, actor }) {
    const summary = await summarizeKnowledge(scope, actor);
    const store = toVectorStore(key.companyId, summary);
    return { body: { object: "list", data: [store], first_id: store.id, last_id: store.id, has_more: false } };
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  "/v1/api/openai/vector_stores",
  { GET: GET_STORES },
  { dialect: openAiError, via: "openai" },
);
