import { scaleLinear } from "d3-scale";

interface DayChartProps {
  days: { day: string; requests: number; errors: number }[];
}

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [720, 180, 36, 22];

/** Requests by day as bars, the failed ones in the colour of danger; drawn on the server, so it costs no script. */
export function DayChart({ days }: DayChartProps) {
  const most = Math.max(1, ...days.map(({ requests }) => requests));
  const y = scaleLinear([0, most], [HEIGHT - BOTTOM, 6]).nice(4);
  const step = (WIDTH - LEFT) / days.length;
  const total = days.reduce((sum, { requests }) => sum + requests, 0);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="h-auto w-full"
      role="img"
      aria-label={`${total} requests in ${days.length} days, at most ${most} a day`}
    >
      {y
        .ticks(4)
        .filter(Number.isInteger)
        .map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} className="stroke-border" />
            <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end" className="fill-muted text-xs">
              {tick}
            </text>
          </g>
        ))}
      {days.map(({ day, requests, errors }, index) => (
        <g key={day}>
          <title>{`${day}: ${requests} requests, ${errors} errors`}</title>
          <rect
            x={LEFT + index * step + step * 0.15}
            width={step * 0.7}
            y={y(requests)}
            height={y(0) - y(requests)}
            rx={2}
            className="fill-chart-1"
          />
          <rect
            x={LEFT + index * step + step * 0.15}
            width={step * 0.7}
            y={y(errors)}
            height={y(0) - y(errors)}
            rx={2}
            className="fill-danger"
          />
          {index % Math.ceil(days.length / 7) === 0 && (
            <text x={LEFT + (index + 0.5) * step} y={HEIGHT - 6} textAnchor="middle" className="fill-muted text-xs">
              {day.slice(5)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}
