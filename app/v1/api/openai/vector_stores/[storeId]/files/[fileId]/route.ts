import { openAiError } from "@/lib/adapters/openai/errors.ts";
import { fileId, requireStore } from "@/lib/adapters/openai/ids.ts";
import { toFile } from "@/lib/adapters/openai/map.ts";
import { attributesUpdate, deletedFile, filePath, vectorStoreFile } from "@/lib/adapters/openai/schema.ts";
import { detachFile, readSource, updateFile } from "@/lib/adapters/openai/write-files.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";

const GET_FILE = endpoint({
  access: "ingest",
  params: filePath,
  response: vectorStoreFile,
  async handler({ key, scope, actor, params }) {
    requireStore(key.companyId, params.storeId);
    const source = await readSource({ scope, actor }, params.fileId);
    return { body: toFile(key.companyId, source) };
  },
});

const POST_FILE = endpoint({
  access: "ingest",
  params: filePath,
  body: attributesUpdate,
  response: vectorStoreFile,
  async handler({ key, scope, actor, params, body }) {
    requireStore(key.companyId, params.storeId);
    const source = await updateFile({ scope, actor }, { id: params.fileId, ...body });
    return { body: toFile(key.companyId, source) };
  },
});

const DELETE_FILE = endpoint({
  access: "manage",
  params: filePath,
  response: deletedFile,
  async handler({ key, scope, actor, params }) {
    requireStore(key.companyId, params.storeId);
    await detachFile({ scope, actor }, params.fileId);
    return { body: { id: fileId(params.fileId), object: "vector_store.file.deleted", deleted: true } };
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  "/v1/api/openai/vector_stores/*/files/*",
  { GET: GET_FILE, POST: POST_FILE, DELETE: DELETE_FILE },
  { dialect: openAiError, via: "openai" },
);
