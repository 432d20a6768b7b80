import Check from "lucide-react/icons/check";
import type { Metadata } from "next";
import Link from "next/link";
import { cn } from "@/components/cn.ts";
import { DayChart } from "@/components/day-chart.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { SampleNotice } from "@/components/shell/sample-notice.tsx";
import { StatRow } from "@/components/stat-row.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { listKeys } from "@/lib/api-keys/service.ts";
import { requireMember } from "@/lib/auth/session.ts";
import { firstSteps, usageOf } from "@/lib/usage/statistics.ts";

export const metadata: Metadata = { title: "Overview" };

const DAYS = 14;

export default async function OverviewPage() {
  const { company, role, scope } = await requireMember();
  const [done, keys, usage] = await Promise.all([firstSteps(scope), listKeys(scope), usageOf(scope, DAYS)]);
  const steps = [
    {
      href: "/knowledge/add",
      label: "Add knowledge",
      hint: "Documents, or questions and answers",
      done: done.knowledge,
    },
    { href: "/playground", label: "Ask something", hint: "See which passages come up, and why", done: done.asked },
    { href: "/settings/api-keys", label: "Create a key", hint: "For the system that will ask", done: keys.length > 0 },
    { href: "/docs", label: "Call the API", hint: "One request with the key", done: done.called },
  ];
  return (
    <>
      <PageHeader title="Overview" description={company.name} />
      {company.isSample && <SampleNotice canCreate={role === "admin"} />}
      {steps.some((step) => !step.done) && (
        <Card>
          <CardHeader title="First steps" description="They tick themselves." />
          <CardBody>
            <ol className="grid gap-2">
              {steps.map(({ href, label, hint, done: ticked }) => (
                <li key={href}>
                  <Link href={href} className="flex items-center gap-3 rounded-md p-2 hover:bg-hover">
                    <span
                      className={cn(
                        "grid size-6 place-items-center rounded-full border",
                        ticked ? "border-transparent bg-success-soft text-success" : "border-border-strong text-muted",
                      )}
                    >
                      {ticked && <Check className="size-4" aria-hidden />}
                    </span>
                    <span className="grid">
                      <span className="font-medium">
                        {label}
                        {ticked && <span className="sr-only"> (done)</span>}
                      </span>
                      <span className="text-muted text-sm">{hint}</span>
                    </span>
                  </Link>
                </li>
              ))}
            </ol>
          </CardBody>
        </Card>
      )}
      <StatRow
        stats={[
          { label: `Requests in ${DAYS} days`, value: usage.requests.toLocaleString("en") },
          { label: "Errors", value: usage.errors.toLocaleString("en") },
          { label: "Time p50 / p95", value: `${Math.round(usage.p50)} / ${Math.round(usage.p95)} ms` },
          { label: "Answered / unanswered", value: `${usage.answered} / ${usage.unanswered}` },
        ]}
      />
      <Card>
        <CardHeader title="Requests by day" />
        <CardBody>
          <DayChart days={usage.days} />
        </CardBody>
      </Card>
    </>
  );
}
