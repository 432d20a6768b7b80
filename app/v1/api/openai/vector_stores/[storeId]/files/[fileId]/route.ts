import { openAiError } from "@/lib/adapters/openai/errors.ts";
import { requireStore } from "@/lib/adapters/openai/ids.ts";
import { toFile } from "@/lib/adapters/openai/map.ts";
import { filePath, vectorStoreFile } from "@/lib/adapters/openai/schema.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { listedSource } from "@/lib/knowledge/browse/page-sources.ts";

const GET_FILE = endpoint({
  access: "ingest",
  params: filePath,
  response: vectorStoreFile,
  async handler({ key, scope, actor, params }) {
    requireStore(key.companyId, params.storeId);
    const source = await listedSource(scope, actor, params.fileId);
    return { body: toFile(key.companyId, source) };
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  "/v1/api/openai/vector_stores/*/files/*",
  { GET: GET_FILE },
  { dialect: openAiError, via: "openai" },
);
