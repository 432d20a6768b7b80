import { z } from "zod";
import { memberRoute } from "@/lib/auth/member-route.ts";
import { parseInput } from "@/lib/errors.ts";
import { findByName } from "@/lib/find/find-by-name.ts";
import { textInput } from "@/lib/text-input.ts";

const findInput = z.object({ q: textInput().trim().min(1).max(200) });

/** Finds sources, keys and requests by name or id. */
export const GET = memberRoute({ name: "find" }, async ({ request, member: { scope, actor } }) => {
  const { q } = parseInput(findInput, { q: new URL(request.url).searchParams.get("q") });
  return findByName(scope, actor, q);
});
