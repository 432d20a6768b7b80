import type { Metadata } from "next";
import { type ReactNode, Suspense } from "react";
import { PageHeader } from "@/components/page-header.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { StatusBadge } from "@/components/status-badge.tsx";
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card.tsx";
import { Skeleton, TableSkeleton } from "@/components/ui/skeleton.tsx";
import { type Member, requireMember } from "@/lib/auth/session.ts";
import { SUBSCRIPTION_STATUS_LABELS } from "@/lib/db/column-values.ts";
import {
  getSubscription,
  listSubscriptionHistory,
  previewResume,
  type SubscriptionView,
} from "@/lib/subscriptions/service.ts";
import { hasEnded } from "@/lib/subscriptions/status.ts";
import { countServed } from "@/lib/usage/service.ts";
import { Allowance } from "./allowance.tsx";
import { ChangePlan } from "./change-plan.tsx";
import { EndSubscription } from "./end-subscription.tsx";
import { HistoryTable } from "./history-table.tsx";
import { ResumeSubscription } from "./resume-subscription.tsx";
import { STATUS_TONES, StatusSentence } from "./status-words.tsx";

export const metadata: Metadata = { title: "Subscription" };

export default async function SubscriptionPage() {
  const member = await requireMember({ role: "admin" });
  return (
    <>
      <PageHeader title="Subscription" description="The company's plan, and whether the API serves its requests." />
      <Suspense fallback={<SubscriptionSkeleton />}>
        <Sections member={member} />
      </Suspense>
    </>
  );
}

async function Sections({ member: { scope, actor, company } }: { member: Member }) {
  const subscription = await getSubscription(scope, actor);
  const [served, history, resumed] = await Promise.all([
    countServed(scope, actor, subscription.allowancePeriod),
    listSubscriptionHistory(scope, actor),
    previewResume(scope, actor),
  ]);
  const { canChange, nextStep } = subscription;
  const ended = hasEnded(subscription.state);
  return (
    <>
      <StatusCard subscription={subscription}>
        {nextStep && resumed && (
          <ResumeSubscription nextStep={nextStep} subscription={subscription} resumed={resumed} />
        )}
      </StatusCard>
      <Card>
        <CardHeader
          title={`${subscription.planDetails.name} plan`}
          description={subscription.planDetails.description && `${subscription.planDetails.description}.`}
          actions={canChange && !ended && <ChangePlan subscription={subscription} served={served} />}
        />
        <CardBody>
          <Allowance subscription={subscription} served={served} />
        </CardBody>
        <CardFooter>API requests only. Playground runs are not counted.</CardFooter>
      </Card>
      <section aria-labelledby="history" className="grid gap-3">
        <h2 id="history" className="font-semibold text-base">
          History
        </h2>
        <HistoryTable history={history} />
      </section>
      {canChange && !ended && <EndSubscription subscription={subscription} companyName={company.name} />}
    </>
  );
}

function SubscriptionSkeleton() {
  return (
    <>
      <Skeleton className="h-40 rounded-lg" />
      <Skeleton className="h-48 rounded-lg" />
      <TableSkeleton rows={3} />
    </>
  );
}

function StatusCard({ subscription, children }: { subscription: SubscriptionView; children: ReactNode }) {
  const { state, cancelAtPeriodEnd, currentPeriodStart, currentPeriodEnd } = subscription;
  const label = SUBSCRIPTION_STATUS_LABELS[state.status];
  const tone = STATUS_TONES[state.status];
  const ending = state.served && cancelAtPeriodEnd;
  return (
    <Card>
      <CardHeader
        title={
          <span className="flex items-center gap-3">
            Status
            <StatusBadge tone={ending ? "warning" : tone}>
              {ending ? "Ends after this billing period" : label}
            </StatusBadge>
          </span>
        }
        description={<StatusSentence subscription={subscription} />}
        actions={children}
      />
      <CardBody>
        <dl className="grid gap-4 sm:grid-cols-3">
          <Fact name="Plan">{subscription.planDetails.name}</Fact>
          <Fact name="Since">
            <AbsoluteTime date={currentPeriodStart} />
          </Fact>
          <Fact name="Billing period ends">
            {currentPeriodEnd ? <AbsoluteTime date={currentPeriodEnd} time /> : "No end"}
          </Fact>
        </dl>
      </CardBody>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}
