"use client";

import X from "lucide-react/icons/x";
import * as Primitive from "radix-ui/dialog";
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { cn } from "@/components/cn.ts";
import { buttonStyle } from "@/components/ui/button.tsx";
import { Opener, useReturnFocus } from "@/components/ui/return-focus.tsx";

export const Dialog = Primitive.Root;
export const DialogClose = Primitive.Close;

const SetBusy = createContext<(busy: boolean) => void>(() => undefined);

/** Keeps the surrounding dialog open while an action runs: its result, such as a new key, would be lost otherwise. */
export function useBusyDialog(busy: boolean): void {
  const setBusy = useContext(SetBusy);
  // a layout effect, to take effect before the next key press or click
  useLayoutEffect(() => setBusy(busy), [busy, setBusy]);
}

export const OVERLAY_STYLE = "fixed inset-0 z-40 animate-fade bg-black/45 backdrop-blur-[1px]";
export const PANEL_STYLE =
  "fixed top-1/2 left-1/2 z-50 grid max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 grid-rows-[auto_minmax(0,1fr)_auto] animate-fade rounded-lg border border-border bg-raised shadow-lg outline-none";

interface DialogContentProps extends Omit<ComponentProps<typeof Primitive.Content>, "title"> {
  title: ReactNode;
  /** Says what the dialog does, below its title. */
  description?: ReactNode;
  /** Prevents closing with the cross, Escape or a click outside. */
  locked?: boolean;
}

/**
 * Title and scrolling body. Actions go into a `DialogFooter` as the last child. A click outside closes it unless it
 * contains a form, whose values would be lost.
 */
export function DialogContent({ title, description, locked, className, children, ...props }: DialogContentProps) {
  const { opener, onCloseAutoFocus } = useReturnFocus();
  const content = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState(false);
  const held = locked || busy;
  const hasForm = () => content.current?.querySelector("form") != null;
  return (
    <Primitive.Portal>
      <Primitive.Overlay className={OVERLAY_STYLE} />
      <Primitive.Content
        ref={content}
        className={cn(PANEL_STYLE, className)}
        onEscapeKeyDown={(event) => held && event.preventDefault()}
        onInteractOutside={(event) => (held || hasForm() || isToast(event.target)) && event.preventDefault()}
        onCloseAutoFocus={onCloseAutoFocus}
        {...(!description && { "aria-describedby": undefined })}
        {...props}
      >
        <Opener of={opener} />
        <div className="grid gap-1 px-6 pt-5 pr-14">
          <Primitive.Title className="font-semibold text-lg">{title}</Primitive.Title>
          {description && <Primitive.Description className="text-muted">{description}</Primitive.Description>}
        </div>
        <div className="contents">
          <SetBusy value={setBusy}>{children}</SetBusy>
        </div>
        {!locked && (
          <Primitive.Close
            className={cn(buttonStyle({ variant: "ghost", size: "icon-sm" }), "absolute top-3.5 right-3.5")}
            aria-label="Close"
            disabled={busy}
          >
            <X aria-hidden />
          </Primitive.Close>
        )}
      </Primitive.Content>
    </Primitive.Portal>
  );
}

/** The part that scrolls when the dialog is higher than the window. */
export function DialogBody({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("grid content-start gap-5 overflow-y-auto px-6 py-5", className)} {...props} />;
}

export function DialogFooter({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      className={cn("flex flex-wrap items-center justify-end gap-2 border-border border-t px-6 py-4", className)}
      {...props}
    />
  );
}

/** Toasts are outside a dialog, but clicking a toast must not close it. */
function isToast(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-sonner-toaster]") !== null;
}
