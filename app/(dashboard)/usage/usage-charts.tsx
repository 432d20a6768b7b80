import { TimeChart } from "@/components/time-chart.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import type { Usage } from "@/lib/usage/usage-of.ts";

type ChartedUsage = Pick<Usage, "days" | "hours">;

/** Served requests and errors by day; by hour in the first days. */
export function RequestChart({ usage }: { usage: ChartedUsage }) {
  const { times, figures, unit } = charted(usage);
  return (
    <TimeChart
      label={`Requests by ${unit}`}
      kind="bars"
      times={times}
      series={[
        { label: "Served", color: 1, values: figures.map(({ requests, errors }) => requests - errors) },
        { label: "Errors", color: 3, values: figures.map(({ errors }) => errors) },
      ]}
    />
  );
}

export function UsageCharts({ usage }: { usage: ChartedUsage }) {
  const { times, figures, unit } = charted(usage);
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Card className="overflow-visible lg:col-span-2">
        <CardHeader title="Requests" />
        <CardBody>
          <RequestChart usage={usage} />
        </CardBody>
      </Card>
      <Card className="overflow-visible">
        <CardHeader title="Response time" description="In milliseconds, including the answer if one was requested." />
        <CardBody>
          <TimeChart
            label={`Response time by ${unit}`}
            kind="lines"
            unit=" ms"
            times={times}
            series={[
              { label: "Half within (p50)", color: 1, values: figures.map(({ p50 }) => p50) },
              { label: "95% within (p95)", color: 2, values: figures.map(({ p95 }) => p95) },
            ]}
          />
        </CardBody>
      </Card>
      <Card className="overflow-visible">
        <CardHeader title="Answers" description="Answered and unanswered requests." />
        <CardBody>
          <TimeChart
            label={`Answers by ${unit}`}
            kind="bars"
            times={times}
            series={[
              { label: "Answered", color: 1, values: figures.map(({ answered }) => answered) },
              { label: "Unanswered", color: 2, values: figures.map(({ unanswered }) => unanswered) },
            ]}
          />
        </CardBody>
      </Card>
    </div>
  );
}

function charted({ days, hours }: ChartedUsage) {
  if (hours) return { times: hours.map(({ hour }) => hour), figures: hours, unit: "hour" };
  return { times: days.map(({ day }) => day), figures: days, unit: "day" };
}
