import { memberRoute } from "@/lib/auth/member-route.ts";
import { AppError } from "@/lib/errors.ts";
import { receiveFile } from "@/lib/http/receive-file.ts";
import { UnreadableFile } from "@/lib/knowledge/parse/document.ts";
import { importTestQuestions } from "@/lib/test-questions/csv.ts";

const BYTES_MAX = 5 * 1024 * 1024;

/** Imports test questions from a CSV file or an Excel workbook. */
export const POST = memberRoute({ name: "test_question.import" }, async ({ request, member, recheck }) => {
  const fileName = new URL(request.url).searchParams.get("name") ?? "questions.csv";
  try {
    return await receiveFile(member.scope, { request, bytesMax: BYTES_MAX, recheck }, ({ path }) =>
      importTestQuestions(member.scope, member.actor, { fileName, path, signal: request.signal }),
    );
  } catch (error) {
    if (error instanceof UnreadableFile) throw new AppError("ValidationError", error.message, { cause: error });
    throw error;
  }
});
