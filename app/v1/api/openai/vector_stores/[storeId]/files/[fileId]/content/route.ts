import { openAiError } from "@/lib/adapters/openai/errors.ts";
import { requireStore } from "@/lib/adapters/openai/ids.ts";
import { fileContentPage, filePath } from "@/lib/adapters/openai/schema.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { textOfSource } from "@/lib/knowledge/manage/read.ts";
import { attachedSourceId } from "@/lib/knowledge/uploads/hold.ts";

const GET_CONTENT = endpoint({
  access: "manage",
  params: filePath,
  response: fileContentPage,
  async handler({ key, scope, actor, params }) {
    requireStore(key.companyId, params.storeId);
    const text = await textOfSource(scope, actor, await attachedSourceId(scope, actor, params.fileId));
    const data = [{ type: "text" as const, text }];
    return { body: { object: "vector_store.file_content.page", data, has_more: false, next_page: null } };
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  "/v1/api/openai/vector_stores/*/files/*/content",
  { GET: GET_CONTENT },
  { dialect: openAiError, via: "openai" },
);
