import LinkIcon from "lucide-react/icons/link";

/** A heading with a link to itself, to copy its URL from. */
export function SectionHeading({ id, children }: { id: string; children: string }) {
  return (
    <h2 id={id} className="group flex scroll-mt-6 items-center gap-2 font-semibold text-xl tracking-tight">
      {children}
      <a
        href={`#${id}`}
        aria-label={`Link to ${children}`}
        className="rounded-sm p-1 text-muted opacity-0 focus-visible:opacity-100 group-hover:opacity-100 max-lg:opacity-100"
      >
        <LinkIcon aria-hidden className="size-4" />
      </a>
    </h2>
  );
}
