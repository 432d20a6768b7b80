"use client";

import { type ComponentProps, useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";
import { CardFooter } from "@/components/ui/card.tsx";
import type { ReportForm as Form } from "../../../playground/report-form.tsx";

const ReportForm = lazyComponent(() =>
  import("../../../playground/report-form.tsx").then((module) => module.ReportForm),
);

/** Opens the form that reports the answer as wrong. */
export function ReportButton(props: ComponentProps<typeof Form>) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <ReportForm {...props} />;
  return (
    <CardFooter className="min-h-0 py-1.5">
      <Button variant="ghost" className="-ml-3" onClick={() => setIsOpen(true)}>
        Report as wrong
      </Button>
    </CardFooter>
  );
}
