interface SparklineProps {
  /** What the bars show: "12 requests in the last 30 days". */
  label: string;
  /** Oldest first. */
  values: number[];
}

/** A row of small bars. */
export function Sparkline({ label, values }: SparklineProps) {
  const most = Math.max(1, ...values);
  const bars = values.map((value, index) => {
    const top = value === 0 ? 98 : 100 - (94 * value) / most;
    return `M${index + 0.15} 100V${top}H${index + 0.85}V100Z`;
  });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length} 100`}
      preserveAspectRatio="none"
      className="h-5 w-24 text-chart-1"
    >
      <title>{label}</title>
      <path d={bars.join("")} fill="currentColor" />
    </svg>
  );
}
