import { memberRoute } from "@/lib/auth/member-route.ts";
import { AppError, parseInput } from "@/lib/errors.ts";
import { receiveFile } from "@/lib/http/receive-file.ts";
import { questionsInput } from "@/lib/knowledge/intake/edit-input.ts";
import { importQuestions, previewQuestions } from "@/lib/knowledge/intake/import-preview.ts";
import { widenToOf } from "@/lib/knowledge/intake/widening.ts";
import { FILE_BYTES_MAX } from "@/lib/knowledge/limits.ts";
import { UnreadableFile } from "@/lib/knowledge/parse/document.ts";
import { relabelledOf } from "@/lib/label-changes.ts";

/** Previews or imports a file of questions and answers. */
export const POST = memberRoute(
  { name: "knowledge.questions", role: "admin" },
  async ({ request, member, recheck }) => {
    const input = parseInput(questionsInput, Object.fromEntries(new URL(request.url).searchParams));
    const { step, name, labels, widen, merge } = input;
    const { scope, actor } = member;
    try {
      return await receiveFile(scope, { request, bytesMax: FILE_BYTES_MAX, recheck }, async ({ path }) => {
        const file = { fileName: name, path, signal: request.signal };
        if (step === "preview") return previewQuestions(scope, actor, file, labels);
        const options = { widenTo: widenToOf(widen), merge };
        const { accepted, invalid, merged } = await importQuestions(scope, actor, file, labels, options);
        const changed = accepted.filter(({ unchanged }) => !unchanged).length;
        return { changed, invalid, merged, relabelled: relabelledOf(accepted) };
      });
    } catch (error) {
      if (error instanceof UnreadableFile) throw new AppError("ValidationError", error.message, { cause: error });
      throw error;
    }
  },
);
