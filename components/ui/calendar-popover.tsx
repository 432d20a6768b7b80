"use client";

import * as Primitive from "radix-ui/popover";
import { type RefObject, useRef } from "react";
import { cn } from "@/components/cn.ts";
import { Calendar, type CalendarProps } from "@/components/ui/calendar.tsx";
import { SURFACE_STYLE } from "@/components/ui/surface.ts";

interface CalendarPopoverProps extends Omit<CalendarProps, "currentButton"> {
  /** The button that opened the calendar, and gets the focus back. */
  anchor: RefObject<HTMLButtonElement | null>;
  label: string;
  onClose: () => void;
}

/** A calendar below the button that opened it. */
export function CalendarPopover({ anchor, label, onClose, ...calendar }: CalendarPopoverProps) {
  const currentButton = useRef<HTMLButtonElement>(null);
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Anchor virtualRef={anchor} />
      <Primitive.Portal>
        <Primitive.Content
          aria-label={label}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className={cn(SURFACE_STYLE, "max-h-(--radix-popover-content-available-height) overflow-y-auto")}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            currentButton.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // a click on another field keeps the focus there
            if (document.activeElement?.contains(anchor.current)) anchor.current?.focus();
          }}
          // the button's own click closes the calendar
          onInteractOutside={(event) => isInside(event.target, anchor.current) && event.preventDefault()}
        >
          <Calendar {...calendar} currentButton={currentButton} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function isInside(target: EventTarget | null, element: Element | null): boolean {
  return target instanceof Node && element !== null && element.contains(target);
}
