"use client";

import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui/slot";
import type { ComponentProps, MouseEvent } from "react";
import { cn } from "@/components/cn.ts";
import { PlainButton } from "@/components/ui/plain-button.tsx";

export const buttonStyle = cva(
  "relative inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium transition-colors off:cursor-not-allowed off:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-primary text-primary-foreground shadow-xs hover:bg-primary-hover",
        secondary: "border border-border-strong bg-surface text-foreground shadow-xs hover:bg-hover",
        ghost: "text-muted hover:bg-hover hover:text-foreground",
        danger: "bg-danger-fill text-white shadow-xs hover:bg-danger-fill-hover",
        link: "text-accent underline-offset-4 hover:underline",
      },
      size: {
        sm: "h-8 px-3 text-sm",
        md: "h-9 px-4 text-base max-sm:h-11",
        icon: "size-9 max-sm:size-11",
        "icon-sm": "size-8 max-sm:size-10",
      },
    },
    compoundVariants: [{ variant: "link", className: "h-auto px-0 max-sm:h-auto" }],
    defaultVariants: { variant: "primary", size: "md" },
  },
);

export type ButtonVariants = VariantProps<typeof buttonStyle>;

interface ButtonProps extends ComponentProps<"button">, ButtonVariants {
  /** Styles its only child, such as a link, as a button. */
  asChild?: boolean;
  /** Shows a progress bar and ignores clicks, without changing the label or the width. */
  pending?: boolean;
}

/** Not `disabled`, which would take the keyboard's focus away. */
const PENDING = {
  "aria-busy": true,
  "aria-disabled": true,
  // also prevents a submission with Enter, which clicks the button
  onClick: (event: MouseEvent) => event.preventDefault(),
};

export function Button({ className, variant, size, asChild, pending, children, ...props }: ButtonProps) {
  const classes = cn(buttonStyle({ variant, size }), className);
  if (asChild) {
    return (
      <Slot className={classes} {...props}>
        {children}
      </Slot>
    );
  }
  return (
    <PlainButton className={classes} {...props} {...(pending && PENDING)}>
      {children}
      {pending && (
        <span className="absolute inset-x-3 bottom-1 h-0.5 animate-working rounded-full bg-current" aria-hidden />
      )}
    </PlainButton>
  );
}
