"use server";

import { z } from "zod";
import { getKey } from "@/lib/api-keys/service.ts";
import { action } from "@/lib/auth/action.ts";
import { retrieveRequest } from "@/lib/retrieval/schema.ts";
import { retrieve } from "@/lib/retrieval/service.ts";
import { reportAnswer } from "@/lib/usage/report.ts";
import { reportAnswerInput } from "@/lib/usage/report-schema.ts";

/** The service of the API, with a key's policy when one is chosen; the key itself is neither needed nor touched. */
export const runAction = action(
  {
    name: "playground.run",
    schema: z.object({ request: retrieveRequest, keyId: z.uuid().nullable() }),
    refresh: false,
  },
  async ({ scope, member, input, requestId }) => {
    const policy = input.keyId ? (await getKey(scope, input.keyId)).policy : {};
    const retrieval = await retrieve(scope, input.request, {
      requestId,
      origin: "playground",
      userId: member.userId,
      policy,
    });
    return { requestId, ...retrieval };
  },
);

export const reportAnswerAction = action(
  { name: "playground.report", schema: reportAnswerInput, refresh: false },
  ({ scope, actor, input }) => reportAnswer(scope, actor, input),
);
