import Play from "lucide-react/icons/play";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import type { SearchParams } from "nuqs/server";
import { z } from "zod";
import { BackLink } from "@/components/back-link.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { titleWithPlace } from "@/components/result-place.ts";
import { TracePanel } from "@/components/trace/trace-panel.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { distinctNames } from "@/lib/api-keys/distinct-names.ts";
import { listKeyChoices } from "@/lib/api-keys/service.ts";
import type { Actor } from "@/lib/audit/record.ts";
import { requireLinkedMember } from "@/lib/auth/session.ts";
import { getCompany } from "@/lib/companies/service.ts";
import type { TenantScope } from "@/lib/db/tenant.ts";
import { AppError } from "@/lib/errors.ts";
import { readSettings } from "@/lib/retrieval/logged-settings.ts";
import { markInstructions } from "@/lib/retrieval/mark-instructions.ts";
import { getReceipt } from "@/lib/usage/receipt.ts";
import { EMPTY_FORM } from "../../../playground/form.ts";
import { toPastRun } from "../../../playground/past-run.ts";
import { WhyNot } from "../../../playground/why-not.tsx";
import { AddQuestion } from "../../../test-questions/add-question.tsx";
import { keyOptions } from "../../../test-questions/key-options.ts";
import { OutcomeBadge } from "../outcome-badge.tsx";
import { questionOf } from "../request-words.ts";
import { AskAgain } from "./ask-again.tsx";
import { CopyLink } from "./copy-link.tsx";
import { FixLink } from "./fix-link.tsx";
import { ReceiptAnswer } from "./receipt-answer.tsx";
import { ReceiptReports } from "./receipt-reports.tsx";
import { ReceiptResults } from "./receipt-results.tsx";
import { RequestFacts } from "./request-facts.tsx";
import { loadReceiptParams } from "./search-params.ts";
import { toTestQuestion } from "./to-test-question.ts";

interface RequestPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}

async function read(scope: TenantScope, actor: Actor, id: string) {
  if (!z.uuid().safeParse(id).success) notFound();
  return getReceipt(scope, actor, id).catch((error: unknown) => {
    if (error instanceof AppError && error.error === "NotFound") notFound();
    throw error;
  });
}

export async function generateMetadata({ params }: RequestPageProps): Promise<Metadata> {
  return { title: `Request ${(await params).id.slice(0, 8)}` };
}

export default async function RequestPage({ params, searchParams }: RequestPageProps) {
  const { scope, actor, role } = await requireLinkedMember((await loadReceiptParams(searchParams)).company);
  const receipt = await read(scope, actor, (await params).id);
  const { id, trace, stages, results, total, degraded, answer } = receipt;
  const settings = readSettings(receipt.request);
  const [asKey, { keepAnswers, hashQueries }, keys] = await Promise.all([
    nameOf(scope, actor, settings?.asKeyId),
    getCompany(scope, actor),
    keyOptions(scope, actor),
  ]);
  const past = toPastRun(receipt);
  return (
    <>
      <div className="grid gap-2">
        <BackLink href="/usage/requests">Requests</BackLink>
        <PageHeader
          title={questionOf(receipt)}
          badge={<OutcomeBadge request={receipt} />}
          actions={
            <>
              <CopyLink path={`/usage/requests/${id}`} companyId={scope.companyId} />
              {past && (
                <Button variant="secondary" asChild>
                  <Link href={`/playground?run=${id}`}>
                    <Play aria-hidden />
                    Playground
                  </Link>
                </Button>
              )}
              {past && trace && !hashQueries && <AskAgain id={id} />}
              {trace && receipt.queryText !== null && (
                <AddQuestion keys={keys} values={toTestQuestion(receipt)} variant="secondary" />
              )}
              {trace && <FixLink receipt={receipt} canEdit={role === "admin"} />}
            </>
          }
        />
      </div>
      {receipt.error && <p className="rounded-md bg-danger-soft px-4 py-3 text-danger">{receipt.error}</p>}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-6">
          {trace && (
            <ReceiptAnswer
              receipt={receipt}
              isWanted={settings?.returnMode === "ai_generated_answer"}
              keepsAnswers={keepAnswers && !hashQueries}
              canVerify={role === "admin"}
            />
          )}
          <ReceiptReports receipt={receipt} />
          {trace && <ReceiptResults results={results} answer={answer} />}
          {past && <WhyNot form={{ ...EMPTY_FORM, ...past.form }} keyId={past.keyId} />}
        </div>
        <Card>
          <CardHeader title="Request" />
          <CardBody>
            <RequestFacts request={receipt} settings={settings} asKey={asKey} />
          </CardBody>
        </Card>
      </div>
      {trace && (
        <TracePanel
          data={{
            trace: markInstructions(trace, results),
            stages,
            total,
            useRerank: settings?.useRerank ?? false,
            scoreThreshold: settings?.scoreThreshold ?? 0,
          }}
          titles={new Map(results.map((result) => [result.id, titleWithPlace(result)]))}
          degraded={degraded}
        />
      )}
    </>
  );
}

async function nameOf(scope: TenantScope, actor: Actor, keyId: string | undefined): Promise<string | null> {
  if (!keyId) return null;
  return distinctNames(await listKeyChoices(scope, actor)).get(keyId) ?? "deleted";
}
