import TriangleAlert from "lucide-react/icons/triangle-alert";
import Link from "next/link";
import { cn } from "@/components/cn.ts";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import type { Role } from "@/lib/db/column-values.ts";
import { describeNextStep } from "@/lib/subscriptions/next-step.ts";
import type { SubscriptionView } from "@/lib/subscriptions/service.ts";

/** Warns on every page that the API refuses requests, or soon will: since when, why and what to do. */
export function SubscriptionBanner({ subscription, role }: { subscription: SubscriptionView; role: Role }) {
  const { state, refusedSince } = subscription;
  if (state.served && state.status !== "PAST_DUE") return null;
  return (
    <div
      role="status"
      className={cn(
        "flex items-center gap-3 border-border border-b px-4 py-2.5 text-sm sm:px-8",
        state.served ? "bg-warning-soft text-warning" : "bg-danger-soft text-danger",
      )}
    >
      <TriangleAlert className="size-4 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1">
        <strong className="font-semibold">
          {refusedSince === null ? (
            <>
              {state.reason}
              {state.until && (
                <>
                  : the API stops answering on <AbsoluteTime date={state.until} time />
                </>
              )}
              .
            </>
          ) : (
            <>
              The API has refused requests since <AbsoluteTime date={refusedSince} time />.
            </>
          )}
        </strong>{" "}
        {!state.served && `${state.reason}. `}
        {role === "admin" && !subscription.canChange && `${describeNextStep(subscription)} `}
        {role === "admin" ? (
          <Link href="/settings/subscription" className="font-medium underline underline-offset-4">
            Go to the subscription
          </Link>
        ) : (
          "Ask an admin of your company."
        )}
      </p>
    </div>
  );
}
