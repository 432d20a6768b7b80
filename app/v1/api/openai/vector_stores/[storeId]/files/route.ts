import { openAiError } from "@/lib/adapters/openai/errors.ts";
import { requireStore } from "@/lib/adapters/openai/ids.ts";
import { toFile, toPageQuery } from "@/lib/adapters/openai/map.ts";
import { filesQuery, storePath, vectorStoreFileList } from "@/lib/adapters/openai/schema.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { pageSources } from "@/lib/knowledge/browse/page-sources.ts";

const GET_FILES = endpoint({
  access: "manage",
  params: storePath,
  query: filesQuery,
  response: vectorStoreFileList,
  async handler({ key, scope, actor, params, query }) {
    requireStore(key.companyId, params.storeId);
    const wanted = toPageQuery(query);
    const page = wanted && (await pageSources(scope, actor, wanted));
    const data = (page?.rows ?? []).map((source) => toFile(key.companyId, source));
    const [first_id, last_id] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
    return { body: { object: "list", data, first_id, last_id, has_more: page?.hasMore ?? false } };
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  "/v1/api/openai/vector_stores/*/files",
  { GET: GET_FILES },
  { dialect: openAiError, via: "openai" },
);
