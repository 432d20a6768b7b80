import { openAiError } from "@/lib/adapters/openai/errors.ts";
import { toFileList, toHeldFile } from "@/lib/adapters/openai/map.ts";
import { uploadedFile, uploadedFileList, uploadsQuery } from "@/lib/adapters/openai/schema.ts";
import { uploadFile } from "@/lib/adapters/openai/write-files.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { receiveUpload } from "@/lib/http/receive-file.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { FILE_BYTES_MAX } from "@/lib/knowledge/limits.ts";
import { pageUploads } from "@/lib/knowledge/uploads/hold.ts";

const POST_FILE = endpoint({
  access: "ingest",
  response: uploadedFile,
  handler: ({ scope, actor, ignore, recheck, request }) =>
    receiveUpload(scope, { request, bytesMax: FILE_BYTES_MAX, recheck }, async (upload) => {
      ignore([...upload.texts.keys()].filter((name) => name !== "purpose"));
      return { body: await uploadFile({ scope, actor }, upload) };
    }),
});

const GET_FILES = endpoint({
  access: "ingest",
  query: uploadsQuery,
  response: uploadedFileList,
  async handler({ scope, actor, query }) {
    const { rows, hasMore } = await pageUploads(scope, actor, query);
    return { body: toFileList(rows.map(toHeldFile), hasMore) };
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute(
  "/v1/api/openai/files",
  { GET: GET_FILES, POST: POST_FILE },
  { dialect: openAiError, via: "openai" },
);
