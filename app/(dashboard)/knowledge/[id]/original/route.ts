import { z } from "zod";
import { memberRoute } from "@/lib/auth/member-route.ts";
import { notFound } from "@/lib/errors.ts";
import { attachment } from "@/lib/http/attachment.ts";
import { originalOf } from "@/lib/knowledge/browse/source-page.ts";

export const GET = memberRoute<{ id: string }>({ name: "source.original" }, async ({ member, params }) => {
  const id = z.uuid().safeParse(params.id);
  if (!id.success) throw notFound("Source");
  const { name, stream } = await originalOf(member.scope, member.actor, id.data);
  return new Response(stream, { headers: attachment(name) });
});
