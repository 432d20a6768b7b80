import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";

const badgeStyle = cva(
  "inline-flex h-5.5 max-w-full items-center gap-1.5 whitespace-nowrap rounded-full border px-2 font-medium text-xs [&_svg]:size-3",
  {
    variants: {
      tone: {
        neutral: "border-border bg-subtle text-muted",
        accent: "border-transparent bg-accent-soft text-accent",
        success: "border-transparent bg-success-soft text-success",
        warning: "border-transparent bg-warning-soft text-warning",
        danger: "border-transparent bg-danger-soft text-danger",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export type Tone = NonNullable<VariantProps<typeof badgeStyle>["tone"]>;

interface BadgeProps extends ComponentProps<"span"> {
  tone?: Tone;
}

export function Badge({ className, tone, children, ...props }: BadgeProps) {
  return (
    <span className={cn(badgeStyle({ tone }), className)} {...props}>
      {typeof children === "string" ? <span className="truncate">{children}</span> : children}
    </span>
  );
}
