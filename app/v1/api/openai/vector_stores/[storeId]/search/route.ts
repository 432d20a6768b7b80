import { openAiError } from "@/lib/adapters/openai/errors.ts";
import { requireStore } from "@/lib/adapters/openai/ids.ts";
import { storePath, vectorSearchInput, vectorSearchPage } from "@/lib/adapters/openai/schema.ts";
import { searchStore } from "@/lib/adapters/openai/search-store.ts";
import { env } from "@/lib/env.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { retrievalHeaders } from "@/lib/http/retrieval-stream.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { queueRefusal } from "@/lib/retrieval/search-queue.ts";

const POST_SEARCH = endpoint({
  access: "retrieve",
  capacityRefusal: queueRefusal,
  params: storePath,
  body: vectorSearchInput,
  response: vectorSearchPage,
  async handler({ key, scope, params, body, requestId, signal }) {
    requireStore(key.companyId, params.storeId);
    const call = { scope, key, requestId, signal, publicUrl: env().publicUrl };
    const searched = await searchStore(call, body);
    const [first] = searched.found;
    const degraded = [...new Set(searched.found.flatMap((retrieval) => retrieval.degraded))];
    const headers = first ? retrievalHeaders({ ...first, degraded }) : {};
    return { body: searched.body, headers: { ...headers, ...searched.headers } };
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  "/v1/api/openai/vector_stores/*/search",
  { POST: POST_SEARCH },
  { dialect: openAiError, via: "openai" },
);
