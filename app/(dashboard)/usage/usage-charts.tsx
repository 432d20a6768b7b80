import { DayChart } from "@/components/day-chart.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import type { DayFigures } from "@/lib/usage/statistics.ts";

export function RequestChart({ days }: { days: DayFigures[] }) {
  return (
    <DayChart
      label="Requests by day"
      kind="bars"
      days={days.map(({ day }) => day)}
      series={[
        { label: "Served", color: 1, values: days.map(({ requests, errors }) => requests - errors) },
        { label: "Errors", color: 3, values: days.map(({ errors }) => errors) },
      ]}
    />
  );
}

export function UsageCharts({ days }: { days: DayFigures[] }) {
  const dates = days.map(({ day }) => day);
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Card className="overflow-visible lg:col-span-2">
        <CardHeader title="Requests" />
        <CardBody>
          <RequestChart days={days} />
        </CardBody>
      </Card>
      <Card className="overflow-visible">
        <CardHeader title="Response time" description="In milliseconds, including the answer if one was requested." />
        <CardBody>
          <DayChart
            label="Response time by day"
            kind="lines"
            unit=" ms"
            days={dates}
            series={[
              { label: "Half within (p50)", color: 1, values: days.map(({ p50 }) => p50) },
              { label: "95% within (p95)", color: 2, values: days.map(({ p95 }) => p95) },
            ]}
          />
        </CardBody>
      </Card>
      <Card className="overflow-visible">
        <CardHeader title="Answers" description="Answered and unanswered requests." />
        <CardBody>
          <DayChart
            label="Answers by day"
            kind="bars"
            days={dates}
            series={[
              { label: "Answered", color: 1, values: days.map(({ answered }) => answered) },
              { label: "Without an answer", color: 2, values: days.map(({ unanswered }) => unanswered) },
            ]}
          />
        </CardBody>
      </Card>
    </div>
  );
}
