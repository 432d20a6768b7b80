import type { Relabelled } from "@/lib/label-changes.ts";

/** The imported sources whose labels changed, with the changes. */
export function RelabelledList({ relabelled: { total, sources } }: { relabelled: Relabelled }) {
  if (total === 0) return null;
  return (
    <section aria-labelledby="relabelled" className="grid gap-2">
      <h3 id="relabelled" className="font-medium">
        Changed labels
      </h3>
      <dl className="grid gap-2 text-sm">
        {sources.map(({ sourceId, changes }) => (
          <div key={sourceId} className="grid gap-0.5">
            <dt className="wrap-anywhere">{sourceId}</dt>
            {changes.map((change) => (
              <dd key={change} className="wrap-anywhere text-muted">
                {change}
              </dd>
            ))}
          </div>
        ))}
      </dl>
      {total > sources.length && (
        <p className="text-muted text-sm">
          The first {sources.length} of {total} sources.
        </p>
      )}
    </section>
  );
}
