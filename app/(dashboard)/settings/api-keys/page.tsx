import KeyRound from "lucide-react/icons/key-round";
import type { Metadata } from "next";
import Link from "next/link";
import { Suspense } from "react";
import { CodeBlock } from "@/components/code-block.tsx";
import { EmptyState } from "@/components/empty-state.tsx";
import { RememberQuery } from "@/components/list-query.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { Button } from "@/components/ui/button.tsx";
import { TableSkeleton } from "@/components/ui/skeleton.tsx";
import { listKeys } from "@/lib/api-keys/service.ts";
import { type Member, requireMember } from "@/lib/auth/session.ts";
import { env } from "@/lib/env.ts";
import { listLabels } from "@/lib/knowledge/browse/list-labels.ts";
import { listMembers } from "@/lib/members/service.ts";
import { keyActivity } from "@/lib/usage/key-activity.ts";
import { CreateKey, OpenCreateKey } from "./create-key.tsx";
import { ACTIVITY_DAYS, creatorOf, type KeyRow } from "./key-row.ts";
import { KeyTable } from "./key-table.tsx";

export const metadata: Metadata = { title: "API Keys" };

export default async function ApiKeysPage() {
  const member = await requireMember({ role: "admin" });
  const labels = await listLabels(member.scope, member.actor);
  const { publicUrl } = env();
  return (
    <>
      <RememberQuery list="/settings/api-keys" dialog="create" />
      <PageHeader
        title="API Keys"
        description="Your systems call the API with a key. Give each system its own, so you can revoke one without affecting the others."
        actions={
          <>
            <Button variant="secondary" asChild>
              <Link href="/docs">API reference</Link>
            </Button>
            <CreateKey labels={labels} publicUrl={publicUrl} />
          </>
        }
      />
      <Suspense fallback={<TableSkeleton rows={4} />}>
        <Keys member={member} publicUrl={publicUrl} />
      </Suspense>
    </>
  );
}

async function Keys({ member: { scope, actor }, publicUrl }: { member: Member; publicUrl: string }) {
  const [keys, members, activity] = await Promise.all([
    listKeys(scope, actor),
    listMembers(scope, actor),
    keyActivity(scope, actor, ACTIVITY_DAYS),
  ]);
  if (keys.length === 0) return <NoKeys publicUrl={publicUrl} />;
  const rows: KeyRow[] = keys.map((key) => ({
    ...key,
    createdByName: creatorOf(key, members),
    activity: activity.get(key.id) ?? null,
  }));
  return <KeyTable keys={rows} publicUrl={publicUrl} />;
}

function NoKeys({ publicUrl }: { publicUrl: string }) {
  return (
    <>
      <EmptyState icon={KeyRound} title="No keys yet" actions={<OpenCreateKey />}>
        A key lets one system, such as a chatbot or a CRM, search this company&apos;s knowledge. You see the key once,
        can restrict it to part of the knowledge, and can replace it without downtime.
      </EmptyState>
      <section aria-labelledby="first-call" className="grid gap-3">
        <h2 id="first-call" className="font-semibold text-base">
          Example request
        </h2>
        <CodeBlock
          code={`curl ${publicUrl}/v1/api/status \\\n  -H "Authorization: Bearer $RAGSTONE_API_KEY"`}
          copyLabel="Copy the command"
        />
      </section>
    </>
  );
}
