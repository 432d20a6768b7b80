import { openAiError } from "@/lib/adapters/openai/errors.ts";
import { fileId } from "@/lib/adapters/openai/ids.ts";
import { deletedFile, uploadedFile, uploadPath } from "@/lib/adapters/openai/schema.ts";
import { deleteFile, readFile } from "@/lib/adapters/openai/write-files.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { apiRoute } from "@/lib/http/route.ts";

const GET_FILE = endpoint({
  access: "ingest",
  params: uploadPath,
  response: uploadedFile,
  handler: async ({ scope, actor, params }) => ({ body: await readFile({ scope, actor }, params.fileId) }),
});

const DELETE_FILE = endpoint({
  access: "manage",
  params: uploadPath,
  response: deletedFile,
  async handler({ scope, actor, params }) {
    await deleteFile({ scope, actor }, params.fileId);
    return { body: { id: fileId(params.fileId), object: "file", deleted: true } };
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  "/v1/api/openai/files/*",
  { GET: GET_FILE, DELETE: DELETE_FILE },
  { dialect: openAiError, via: "openai" },
);
