import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import type { SearchParams } from "nuqs/server";
import { Suspense } from "react";
import { BackLink } from "@/components/back-link.tsx";
import { CopyButton } from "@/components/copy-button.tsx";
import { Fact } from "@/components/fact.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { AbsoluteTime, RelativeTime } from "@/components/relative-time.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { Skeleton, TableSkeleton } from "@/components/ui/skeleton.tsx";
import { describeScopes } from "@/lib/api-keys/describe-scopes.ts";
import { type ApiKey, getKey } from "@/lib/api-keys/service.ts";
import type { Actor } from "@/lib/audit/record.ts";
import { requireMember } from "@/lib/auth/session.ts";
import { counted } from "@/lib/counted.ts";
import type { TenantScope } from "@/lib/db/tenant.ts";
import { env } from "@/lib/env.ts";
import { AppError } from "@/lib/errors.ts";
import { listLabels } from "@/lib/knowledge/browse/list-labels.ts";
import { listMembers } from "@/lib/members/service.ts";
import { knowledgeCallsOf } from "@/lib/usage/knowledge-calls.ts";
import { listKeyCalls } from "@/lib/usage/service.ts";
import { usageOf } from "@/lib/usage/usage-of.ts";
import { KnowledgeCallTable } from "../../../usage/knowledge-call-table.tsx";
import { RequestChart } from "../../../usage/usage-charts.tsx";
import { ExpiryNotice } from "../expiry-notice.tsx";
import { ACTIVITY_DAYS, creatorOf } from "../key-row.ts";
import { KeyStatus } from "../key-status.tsx";
import { PolicyWords } from "../policy-words.tsx";
import { CallTable } from "./call-table.tsx";
import { KeyButtons } from "./key-buttons.tsx";
import { loadKeyParams } from "./search-params.ts";

export const metadata: Metadata = { title: "API key" };

interface KeyPageProps {
  params: Promise<{ keyId: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function KeyPage({ params, searchParams }: KeyPageProps) {
  const { scope, actor } = await requireMember({ role: "admin" });
  const { keyId } = await params;
  const errorsOnly = (await loadKeyParams(searchParams)).calls === "errors";
  const key = await keyOrNotFound(scope, actor, keyId);
  const [members, labels] = await Promise.all([listMembers(scope, actor), listLabels(scope, actor)]);
  const { publicUrl, rateLimitPerMinute } = env();
  return (
    <>
      <div className="grid gap-2">
        <BackLink href="/settings/api-keys">API Keys</BackLink>
        <PageHeader
          title={key.name}
          badge={<KeyStatus status={key.status} />}
          description={<code className="break-all font-mono text-sm">{key.maskedToken}</code>}
          actions={<KeyButtons apiKey={key} labels={labels} publicUrl={publicUrl} />}
        />
      </div>
      <ExpiryNotice apiKey={key} />
      <div className="grid gap-6 lg:grid-cols-2">
        <Card>
          <CardHeader title="Key" />
          <CardBody>
            <KeyFacts apiKey={key} creator={creatorOf(key, members)} rateLimitPerMinute={rateLimitPerMinute} />
          </CardBody>
        </Card>
        <Card>
          <CardHeader title="Access" />
          <CardBody className="grid gap-4">
            <PermissionList scopes={key.scopes} />
            <PolicyWords policy={key.policy} />
          </CardBody>
        </Card>
      </div>
      <Suspense fallback={<Skeleton className="h-72 rounded-lg" />}>
        <Activity scope={scope} actor={actor} keyId={key.id} />
      </Suspense>
      <Suspense fallback={<CallTableSkeleton />}>
        <Calls scope={scope} actor={actor} apiKey={key} errorsOnly={errorsOnly} />
      </Suspense>
    </>
  );
}

function PermissionList({ scopes }: Pick<ApiKey, "scopes">) {
  return (
    <dl className="grid gap-3">
      <Fact name="Permissions">{describeScopes(scopes)}</Fact>
    </dl>
  );
}

async function Activity({ scope, actor, keyId }: { scope: TenantScope; actor: Actor; keyId: string }) {
  const filter = { days: ACTIVITY_DAYS, sender: keyId };
  const [usage, knowledgeCalls] = await Promise.all([
    usageOf(scope, actor, filter),
    knowledgeCallsOf(scope, actor, filter),
  ]);
  return (
    <>
      {usage.requests > 0 && (
        <Card className="overflow-visible">
          <CardHeader
            title="Requests"
            description={`${counted(usage.requests, "request")} in the last ${counted(ACTIVITY_DAYS, "day")}, ${counted(usage.errors, "error")}.`}
          />
          <CardBody>
            <RequestChart usage={usage} />
          </CardBody>
        </Card>
      )}
      {knowledgeCalls.length > 0 && <KnowledgeCallTable calls={knowledgeCalls} daysOfKey={ACTIVITY_DAYS} />}
    </>
  );
}

interface CallsProps {
  scope: TenantScope;
  actor: Actor;
  apiKey: ApiKey;
  errorsOnly: boolean;
}

async function Calls({ scope, actor, apiKey: { id, scopes }, errorsOnly }: CallsProps) {
  const calls = await listKeyCalls(scope, actor, id, { errorsOnly });
  const managesKnowledge = scopes.some((each) => each !== "retrieve");
  const path = `/settings/api-keys/${id}`;
  return <CallTable calls={calls} errorsOnly={errorsOnly} managesKnowledge={managesKnowledge} path={path} />;
}

function CallTableSkeleton() {
  return (
    <div className="grid gap-3">
      <Skeleton className="h-11 w-72" />
      <TableSkeleton rows={4} />
    </div>
  );
}

async function keyOrNotFound(scope: TenantScope, actor: Actor, keyId: string): Promise<ApiKey> {
  try {
    return await getKey(scope, actor, keyId);
  } catch (error) {
    if (error instanceof AppError && error.error === "NotFound") notFound();
    throw error;
  }
}

interface KeyFactsProps {
  apiKey: ApiKey;
  creator: string;
  rateLimitPerMinute: number;
}

function KeyFacts({ apiKey, creator, rateLimitPerMinute }: KeyFactsProps) {
  const perMinute = apiKey.rateLimitPerMinute ?? rateLimitPerMinute;
  return (
    <dl className="grid gap-3">
      <Fact name="Created">
        <AbsoluteTime date={apiKey.createdAt} time /> by {creator}
      </Fact>
      <Fact name="Last used">{apiKey.lastUsedAt ? <RelativeTime date={apiKey.lastUsedAt} /> : "Never"}</Fact>
      {apiKey.revokedAt ? (
        <Fact name="Revoked">
          <AbsoluteTime date={apiKey.revokedAt} time />
        </Fact>
      ) : (
        <Fact name={apiKey.status === "expired" ? "Expired" : "Expires"}>
          {apiKey.expiresAt ? <AbsoluteTime date={apiKey.expiresAt} time /> : "Never"}
        </Fact>
      )}
      <Fact name="Rate limit">
        {perMinute === 0 ? "None" : `${counted(perMinute, "request")} per minute`}
        {apiKey.rateLimitPerMinute === null && ", the server's default"}
      </Fact>
      {apiKey.replacedById && (
        <Fact name="Replaced by">
          <Link
            href={`/settings/api-keys/${apiKey.replacedById}`}
            className="text-accent underline-offset-4 hover:underline"
          >
            Its new key
          </Link>
        </Fact>
      )}
      <Fact name="ID">
        <span className="flex min-w-0 items-center gap-1">
          <code className="truncate font-mono text-sm">{apiKey.id}</code>
          <CopyButton text={apiKey.id} label="Copy key ID" variant="ghost" />
        </span>
      </Fact>
    </dl>
  );
}
