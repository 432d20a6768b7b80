import ArrowRight from "lucide-react/icons/arrow-right";
import Check from "lucide-react/icons/check";
import Link from "next/link";
import { cn } from "@/components/cn.ts";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import type { FirstSteps as Done } from "@/lib/usage/first-steps.ts";

const STEPS: { name: keyof Done; href: string; label: string; hint: string; forAdmins?: boolean }[] = [
  {
    name: "knowledge",
    href: "/knowledge/add",
    label: "Add knowledge",
    hint: "Documents, or questions with their answers.",
    forAdmins: true,
  },
  { name: "asked", href: "/playground", label: "Ask a question", hint: "See which chunks are found, and why." },
  {
    name: "key",
    href: "/settings/api-keys?create=1",
    label: "Create a key",
    hint: "For the system that will call the API.",
    forAdmins: true,
  },
  {
    name: "called",
    href: "/settings/connect",
    label: "Connect a system",
    hint: "Copy the lines it needs, and see its first request.",
    forAdmins: true,
  },
];

/** The steps until a system gets answers. A step is ticked when the company has done it. */
export function FirstSteps({ done, isAdmin }: { done: Done; isAdmin: boolean }) {
  const next = STEPS.find(({ name }) => !done[name])?.name;
  const count = STEPS.filter(({ name }) => done[name]).length;
  return (
    <Card>
      <CardHeader title="First steps" description={`${count} of ${STEPS.length} done`} />
      <CardBody className="px-3 pt-3 pb-3">
        <ol className="grid">
          {STEPS.map(({ name, href, label, hint, forAdmins }, index) => (
            <li key={name}>
              <Step
                href={isAdmin || !forAdmins ? href : null}
                label={label}
                hint={isAdmin || !forAdmins ? hint : `${hint} Only an admin can do this.`}
                position={index + 1}
                done={done[name]}
                isNext={name === next}
              />
            </li>
          ))}
        </ol>
      </CardBody>
    </Card>
  );
}

interface StepProps {
  href: string | null;
  label: string;
  hint: string;
  position: number;
  done: boolean;
  isNext: boolean;
}

function Step({ href, label, hint, position, done, isNext }: StepProps) {
  const content = (
    <>
      <span
        className={cn(
          "tabular grid size-7 shrink-0 place-items-center rounded-full border text-sm",
          done && "border-transparent bg-success-soft text-success",
          !done && (isNext ? "border-accent text-accent" : "border-border-strong text-muted"),
        )}
      >
        {done ? <Check aria-hidden className="size-4" /> : <span aria-hidden>{position}</span>}
      </span>
      <span className="grid">
        <span className={cn("font-medium", done && "text-muted line-through decoration-border-strong")}>
          {label}
          {done && <span className="sr-only"> (done)</span>}
        </span>
        <span className="text-muted text-sm">{hint}</span>
      </span>
      {href && isNext && <ArrowRight aria-hidden className="ml-auto size-4 text-muted" />}
    </>
  );
  const style = "flex items-center gap-3.5 rounded-md px-2 py-2";
  if (!href) return <div className={style}>{content}</div>;
  return (
    <Link href={href} className={cn(style, "transition-colors hover:bg-hover")}>
      {content}
    </Link>
  );
}
