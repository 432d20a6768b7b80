import { openAiError } from "@/lib/adapters/openai/errors.ts";
import { requireStore } from "@/lib/adapters/openai/ids.ts";
import { toFile, toFileList, toPageQuery } from "@/lib/adapters/openai/map.ts";
import {
  attachInput,
  filesQuery,
  storePath,
  vectorStoreFile,
  vectorStoreFileList,
} from "@/lib/adapters/openai/schema.ts";
import { attachFile } from "@/lib/adapters/openai/write-files.ts";
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
    const files = (page?.rows ?? []).map((source) => toFile(key.companyId, source));
    return { body: toFileList(files, page?.hasMore ?? false) };
  },
});

const POST_FILE = endpoint({
  access: "ingest",
  params: storePath,
  body: attachInput,
  response: vectorStoreFile,
  async handler({ key, scope, actor, params, body }) {
    requireStore(key.companyId, params.storeId);
    return { body: toFile(key.companyId, await attachFile({ scope, actor }, body)) };
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  "/v1/api/openai/vector_stores/*/files",
  { GET: GET_FILES, POST: POST_FILE },
  { dialect: openAiError, via: "openai" },
);
