import { memberRoute } from "@/lib/auth/member-route.ts";
import { parseInput } from "@/lib/errors.ts";
import { readJsonObject } from "@/lib/http/body.ts";
import { EVENT_STREAM_HEADERS, eventStream, waitForFirstPart } from "@/lib/http/event-stream.ts";
import { runInPlayground } from "@/lib/playground/run.ts";
import { runInput } from "@/lib/playground/schema.ts";

/**
 * Streams the same retrieval as the API. With a key chosen, its policy applies, but the run does not count as its use.
 */
export const POST = memberRoute({ name: "playground.run" }, async ({ request, member, requestId, refuse }) => {
  const { scope, actor } = member;
  const input = parseInput(runInput, await readJsonObject(request));
  const parts = await waitForFirstPart(runInPlayground(scope, actor, { ...input, requestId, signal: request.signal }));
  const stream = eventStream(parts, (error) => ({ ...refuse(error), type: "failed" }));
  return new Response(stream, { headers: EVENT_STREAM_HEADERS });
});
