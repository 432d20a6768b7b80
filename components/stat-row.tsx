/** A few figures side by side, each with its name. */
export function StatRow({ stats }: { stats: { label: string; value: string }[] }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-border bg-border sm:grid-cols-4">
      {stats.map(({ label, value }) => (
        <div key={label} className="grid gap-1 bg-surface px-5 py-4">
          <dt className="text-muted text-sm">{label}</dt>
          <dd className="tabular font-semibold text-xl">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
