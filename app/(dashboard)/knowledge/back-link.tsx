import ArrowLeft from "lucide-react/icons/arrow-left";
import Link from "next/link";

export function BackLink() {
  return (
    <Link
      href="/knowledge"
      className="-my-1 inline-flex items-center gap-1.5 justify-self-start py-1 text-muted text-sm hover:text-foreground"
    >
      <ArrowLeft aria-hidden className="size-4" />
      Knowledge
    </Link>
  );
}
