import type { Metadata } from "next";
import { PageHeader } from "@/components/page-header.tsx";
import { describePolicy } from "@/lib/api-keys/describe-policy.ts";
import { listKeys } from "@/lib/api-keys/service.ts";
import { requireMember } from "@/lib/auth/session.ts";
import { env } from "@/lib/env.ts";
import { Playground } from "./playground.tsx";

export const metadata: Metadata = { title: "Playground" };

export default async function PlaygroundPage() {
  const { scope } = await requireMember();
  const keys = (await listKeys(scope)).filter(({ status }) => status === "active" || status === "retiring");
  return (
    <>
      <PageHeader
        title="Playground"
        description="Ask as your systems do, and see why each passage came up. It works while the API refuses requests, too."
      />
      <Playground
        keys={keys.map(({ id, name, policy }) => ({ id, name, policy: describePolicy(policy) }))}
        url={`${env().publicUrl}/v1/api/rag/retrieve`}
      />
    </>
  );
}
