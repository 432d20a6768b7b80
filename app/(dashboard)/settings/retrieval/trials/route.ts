import { memberRoute } from "@/lib/auth/member-route.ts";
import { parseInput } from "@/lib/errors.ts";
import { readJsonObject } from "@/lib/http/body.ts";
import { EVENT_STREAM_HEADERS, eventStream, waitForFirstPart } from "@/lib/http/event-stream.ts";
import { retrievalSettingsForm } from "@/lib/retrieval-settings/schema.ts";
import { trySettings } from "@/lib/test-questions/try-settings.ts";

/** Streams the progress and the outcome of asking the test questions with proposed settings. */
export const POST = memberRoute(
  { name: "retrieval.try_settings", role: "admin" },
  async ({ request, member, refuse }) => {
    const { scope, actor } = member;
    const input = parseInput(retrievalSettingsForm, await readJsonObject(request));
    const parts = await waitForFirstPart(trySettings(scope, actor, input, request.signal));
    const stream = eventStream(parts, (error) => ({ ...refuse(error), type: "failed" }));
    return new Response(stream, { headers: EVENT_STREAM_HEADERS });
  },
);
