import { cn } from "@/components/cn.ts";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { counted, countText } from "@/lib/counted.ts";
import { describeUsedUp } from "@/lib/subscriptions/next-step.ts";
import type { SubscriptionView } from "@/lib/subscriptions/service.ts";

interface AllowanceProps {
  subscription: SubscriptionView;
  served: number;
}

/** Requests of the current month and the plan's allowance. */
export function Allowance({ subscription, served }: AllowanceProps) {
  const { planDetails, allowancePeriod } = subscription;
  const allowed = planDetails.requestsPerMonth;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="tabular">
          <span className="font-semibold text-xl tracking-tight">{countText(served)}</span>{" "}
          <span className="text-muted">
            {allowed === null
              ? `${served === 1 ? "request" : "requests"} this month, no limit`
              : `of ${counted(allowed, "request")} this month`}
          </span>
        </p>
        <p className="text-muted text-sm">
          <AbsoluteTime date={allowancePeriod.start} /> to <AbsoluteTime date={allowancePeriod.end} />
        </p>
      </div>
      {allowed !== null && <Bar subscription={subscription} served={served} allowed={allowed} />}
    </div>
  );
}

interface BarProps extends AllowanceProps {
  allowed: number;
}

function Bar({ subscription, served, allowed }: BarProps) {
  const percent = Math.min(100, (served / allowed) * 100);
  const over = served > allowed;
  return (
    <>
      {/* the text above says the same */}
      <div aria-hidden className="h-2 overflow-hidden rounded-full bg-hover">
        <div
          className={cn("h-full min-w-0.5 rounded-full", over ? "bg-danger-fill" : "bg-accent")}
          style={{ width: `${percent}%` }}
        />
      </div>
      {over && <p className="text-danger">{describeUsedUp(subscription)}</p>}
    </>
  );
}
