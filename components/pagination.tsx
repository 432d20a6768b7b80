import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import Link from "next/link";
import { Button } from "@/components/ui/button.tsx";
import { countText } from "@/lib/counted.ts";
import { pageCount } from "@/lib/page.ts";

interface PaginationProps {
  /** From 1. */
  page: number;
  pageSize: number;
  total: number;
  /** URL of a page. */
  href: (page: number) => string;
}

/** Pages are links, so that they can be shared, opened in a new tab and reached with Back. */
export function Pagination({ page, pageSize, total, href }: PaginationProps) {
  const pages = pageCount(total, pageSize);
  if (pages === 1) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(total, page * pageSize);
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-4 text-muted text-sm">
      <span className="tabular">
        {countText(first)}–{countText(last)} of {countText(total)}
      </span>
      <span className="flex gap-2">
        <Step label="Previous" href={page > 1 ? href(page - 1) : null} />
        <Step label="Next" href={page < pages ? href(page + 1) : null} />
      </span>
    </nav>
  );
}

function Step({ label, href }: { label: "Previous" | "Next"; href: string | null }) {
  const content = (
    <>
      {label === "Previous" && <ChevronLeft aria-hidden />}
      {label}
      {label === "Next" && <ChevronRight aria-hidden />}
    </>
  );
  if (!href) {
    return (
      <Button variant="secondary" size="sm" disabled>
        {content}
      </Button>
    );
  }
  return (
    <Button variant="secondary" size="sm" asChild>
      <Link href={href} scroll={false}>
        {content}
      </Link>
    </Button>
  );
}
