import ArrowLeft from "lucide-react/icons/arrow-left";
import Play from "lucide-react/icons/play";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { cache } from "react";
import { z } from "zod";
import { PageHeader } from "@/components/page-header.tsx";
import { TracePanel } from "@/components/trace/trace-panel.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { listKeyChoices } from "@/lib/api-keys/service.ts";
import type { Actor } from "@/lib/audit/record.ts";
import { requireMember } from "@/lib/auth/session.ts";
import type { TenantScope } from "@/lib/db/tenant.ts";
import { AppError } from "@/lib/errors.ts";
import { readSettings } from "@/lib/retrieval/logged-settings.ts";
import { getRequest } from "@/lib/usage/log.ts";
import { OutcomeBadge } from "../outcome-badge.tsx";
import { questionOf } from "../request-words.ts";
import { RequestFacts } from "./request-facts.tsx";

interface RequestPageProps {
  params: Promise<{ id: string }>;
}

const read = cache(async (id: string) => {
  const { scope, actor } = await requireMember();
  if (!z.uuid().safeParse(id).success) notFound();
  return getRequest(scope, actor, id).catch((error: unknown) => {
    if (error instanceof AppError && error.error === "NotFound") notFound();
    throw error;
  });
});

export async function generateMetadata({ params }: RequestPageProps): Promise<Metadata> {
  return { title: `Request ${(await params).id.slice(0, 8)}` };
}

export default async function RequestPage({ params }: RequestPageProps) {
  const { scope, actor } = await requireMember();
  const request = await read((await params).id);
  const { trace, stages, results, total, degraded } = request;
  const settings = readSettings(request.request);
  return (
    <>
      <div className="grid gap-2">
        <Link
          href="/usage/requests"
          className="-my-1 inline-flex items-center gap-1.5 justify-self-start py-1 text-muted text-sm hover:text-foreground max-sm:min-h-11"
        >
          <ArrowLeft aria-hidden className="size-4" />
          Requests
        </Link>
        <PageHeader
          title={questionOf(request)}
          badge={<OutcomeBadge request={request} />}
          actions={
            request.queryText !== null && (
              <Button variant="secondary" asChild>
                <Link href={`/playground?run=${request.id}`}>
                  <Play aria-hidden />
                  Ask again
                </Link>
              </Button>
            )
          }
        />
      </div>
      {request.error && <p className="rounded-md bg-danger-soft px-4 py-3 text-danger">{request.error}</p>}
      <Card>
        <CardHeader title="Request" />
        <CardBody>
          <RequestFacts request={request} settings={settings} asKey={await nameOf(scope, actor, settings?.asKeyId)} />
        </CardBody>
      </Card>
      {trace && (
        <TracePanel
          data={{
            trace,
            stages,
            total,
            useRerank: settings?.useRerank ?? false,
            scoreThreshold: settings?.scoreThreshold ?? 0,
          }}
          titles={new Map(results.map(({ id, title, sourceId }) => [id, title ?? sourceId]))}
          degraded={degraded}
        />
      )}
    </>
  );
}

async function nameOf(scope: TenantScope, actor: Actor, keyId: string | undefined): Promise<string | null> {
  if (!keyId) return null;
  return (await listKeyChoices(scope, actor)).find(({ id }) => id === keyId)?.name ?? "deleted";
}
