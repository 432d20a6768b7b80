import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { ChartCursor } from "@/components/chart-cursor.tsx";
import { cn } from "@/components/cn.ts";

const COLORS = {
  1: { swatch: "bg-chart-1", stroke: "stroke-chart-1" },
  2: { swatch: "bg-chart-2", stroke: "stroke-chart-2" },
  3: { swatch: "bg-chart-3", stroke: "stroke-chart-3" },
  4: { swatch: "bg-chart-4", stroke: "stroke-chart-4" },
} as const;

interface ChartSeries {
  label: string;
  color: keyof typeof COLORS;
  /** One value per day or hour; null for no value. */
  values: (number | null)[];
}

interface TimeChartProps {
  /** What the chart shows: "Requests by day". */
  label: string;
  /** Days as `2026-11-21` or hours as `2026-11-21T13`, in UTC, oldest first. */
  times: string[];
  /** Bars are stacked, the first series at the bottom. */
  series: ChartSeries[];
  kind: "bars" | "lines";
  /** Appended to every value. */
  unit?: string;
  className?: string;
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const TICKS = 3;
const LABELS = 6;
const HOUR_TITLE: Intl.DateTimeFormatOptions = {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
};

/** Rendered on the server, with text that keeps its size at any width. Only the cursor needs code in the browser. */
export function TimeChart({ label, times, series, kind, unit = "", className }: TimeChartProps) {
  // a share is read against all of it
  const top = unit === "%" ? 100 : Math.max(1, highest(series, kind));
  const y = scaleLinear([0, top], [0, 100]).nice(TICKS);
  const ticks = y.ticks(TICKS).filter(Number.isInteger);
  const every = Math.ceil(times.length / LABELS);
  const points = times.map((time, index) => ({
    title: timeWords(time, { weekday: "short", day: "numeric", month: "short" }, HOUR_TITLE),
    values: series.map(({ label: name, color, values }) => ({
      label: name,
      text: valueWords(values[index] ?? null, unit),
      swatch: COLORS[color].swatch,
    })),
  }));
  return (
    <figure className={cn("grid min-w-0 gap-3", className)}>
      <div className="relative mr-1 ml-9 h-40 border-border border-b">
        {ticks.map((tick) => (
          <div
            key={tick}
            aria-hidden
            className="absolute inset-x-0 border-border border-t border-dashed first:border-transparent"
            style={{ bottom: `${y(tick)}%` }}
          >
            <span className="tabular absolute right-full -translate-y-1/2 whitespace-nowrap pr-2 text-muted text-xs">
              {compact.format(tick)}
            </span>
          </div>
        ))}
        {kind === "bars" ? <Bars times={times} series={series} y={y} /> : <Lines times={times} series={series} y={y} />}
        <ChartCursor label={label} points={points} />
      </div>
      <div aria-hidden className="relative mr-1 ml-9 h-4 text-muted text-xs">
        {times.map(
          (time, index) =>
            (times.length - 1 - index) % every === 0 && (
              <span
                key={time}
                className="absolute -translate-x-1/2 whitespace-nowrap"
                style={{ left: `${(100 * (index + 0.5)) / times.length}%` }}
              >
                {timeWords(time, { day: "numeric", month: "short" })}
              </span>
            ),
        )}
      </div>
      <figcaption className="ml-9 flex flex-wrap gap-x-5 gap-y-1 text-muted text-sm">
        {series.map(({ label: name, color }) => (
          <span key={name} className="inline-flex items-center gap-2">
            <span aria-hidden className={cn("size-2 rounded-xs", COLORS[color].swatch)} />
            {name}
          </span>
        ))}
        <span className="ml-auto">{times[0]?.includes("T") ? "Hours" : "Days"} in UTC</span>
      </figcaption>
    </figure>
  );
}

interface MarksProps {
  times: string[];
  series: ChartSeries[];
  /** Maps a value to a percentage of the height. */
  y: (value: number) => number;
}

function Bars({ times, series, y }: MarksProps) {
  return (
    <div aria-hidden className="absolute inset-0 flex">
      {times.map((time, index) => (
        <div key={time} className="flex h-full min-w-0 flex-1 flex-col-reverse gap-px">
          {series.map(({ label, color, values }) => {
            const value = values[index] ?? 0;
            return (
              value > 0 && (
                <div
                  key={label}
                  className={cn("mx-auto min-h-0.5 w-3/4 max-w-7 last:rounded-t-xs", COLORS[color].swatch)}
                  style={{ height: `${y(value)}%` }}
                />
              )
            );
          })}
        </div>
      ))}
    </div>
  );
}

function Lines({ times, series, y }: MarksProps) {
  const x = (index: number) => (100 * (index + 0.5)) / times.length;
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => x(index))
    .y((value) => 100 - y(value ?? 0));
  return (
    <div aria-hidden className="absolute inset-0">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute size-full overflow-visible">
        <title>{series.map(({ label }) => label).join(", ")}</title>
        {series.map(({ label, color, values }) => (
          <path
            key={label}
            d={path(values) ?? ""}
            fill="none"
            vectorEffect="non-scaling-stroke"
            className={cn("stroke-2", COLORS[color].stroke)}
          />
        ))}
      </svg>
      {series.flatMap(({ label, color, values }) =>
        values.map(
          (value, index) =>
            value !== null && (
              <span
                key={`${label} ${times[index]}`}
                className={cn("absolute size-1.5 -translate-x-1/2 translate-y-1/2 rounded-full", COLORS[color].swatch)}
                style={{ left: `${x(index)}%`, bottom: `${y(value)}%` }}
              />
            ),
        ),
      )}
    </div>
  );
}

function highest(series: ChartSeries[], kind: TimeChartProps["kind"]): number {
  if (kind === "lines") return Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const sums = series[0]?.values.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  return Math.max(0, ...(sums ?? []));
}

/** @param ofHour used in place of `options` for an hour */
function timeWords(
  time: string,
  options: Intl.DateTimeFormatOptions,
  ofHour: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" },
): string {
  const isDay = time.length === "2026-11-21".length;
  const date = new Date(isDay ? `${time}T00:00Z` : `${time}:00Z`);
  return date.toLocaleString("en-GB", { ...(isDay ? options : ofHour), timeZone: "UTC" });
}

function valueWords(value: number | null, unit: string): string {
  return value === null ? "–" : `${whole.format(value)}${unit}`;
}
