import { validationError } from "@/lib/errors.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { receiveUpload } from "@/lib/http/receive-file.ts";
import { apiRoute } from "@/lib/http/route.ts";
import { isSheetName } from "@/lib/knowledge/intake/read-bulk.ts";
import { widenToOf } from "@/lib/knowledge/intake/widening.ts";
import { FILE_BYTES_MAX } from "@/lib/knowledge/limits.ts";
import { describeFile } from "@/lib/knowledge/manage/describe-file.ts";
import { putFile, putQuestions } from "@/lib/knowledge/manage/put.ts";
import { putFileResponse } from "@/lib/knowledge/manage/responses.ts";
import { fileQuery } from "@/lib/knowledge/manage/schema.ts";
import { acceptedReply, ifMatchOf, questionsReply } from "../replies.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/api/sources/file", {
  PUT: endpoint({
    access: "ingest",
    query: fileQuery,
    response: putFileResponse,
    async handler({ scope, actor, query, ignore, recheck, request, signal }) {
      const ifMatch = ifMatchOf(request);
      if (query.as === "questions" && ifMatch !== undefined) {
        const message = "cannot be used with as=questions, which puts a source for each row. Leave it out";
        throw validationError([{ path: "If-Match", message }]);
      }
      return receiveUpload(
        scope,
        { request, bytesMax: FILE_BYTES_MAX, recheck },
        async ({ file: spooled, ...form }) => {
          const described = describeFile(query, form, ignore);
          if (query.as === "questions") {
            const fileName = [described.sourceId, form.fileName ?? ""].find(isSheetName) ?? "";
            const file = { fileName, questionsOf: described.sourceId, path: spooled.path, signal };
            // the caller confirms the audience of the request, but not the audience of a row
            const widenTo = query.widen ? widenToOf(true) : (described.audience ?? []);
            const options = { widenTo, merge: query.merge };
            return questionsReply(await putQuestions(scope, actor, file, described, options));
          }
          return acceptedReply(await putFile(scope, actor, { ...described, spooled }, { ifMatch }));
        },
      );
    },
  }),
});
