"use client";

import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { cn } from "@/components/cn.ts";

interface ChartPoint {
  title: string;
  values: { label: string; text: string; swatch: string }[];
}

/** Overlay of a chart that shows the values of the day or hour under the pointer. The arrow keys move it to the next one. */
export function ChartCursor({ label, points }: { label: string; points: ChartPoint[] }) {
  const [at, setAt] = useState<number | null>(null);
  const point = at === null ? undefined : points[at];
  const last = points.length - 1;

  function onPointerMove({ clientX, currentTarget }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(clamp(Math.floor(((clientX - left) / width) * points.length), last));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const to = nextIndex(event.key, at ?? last, last);
    if (to === null) return;
    event.preventDefault();
    setAt(to);
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at ?? last}
      aria-valuetext={describePoint(point ?? points[last])}
      className="absolute inset-0 touch-pan-y"
      onPointerMove={onPointerMove}
      onPointerDown={onPointerMove}
      onPointerLeave={() => setAt(null)}
      onFocus={() => setAt((before) => before ?? last)}
      onBlur={() => setAt(null)}
      onKeyDown={onKeyDown}
    >
      {point && at !== null && (
        <>
          <div
            aria-hidden
            className="absolute inset-y-0 rounded-sm bg-foreground/6"
            style={{ left: `${(100 * at) / points.length}%`, width: `${100 / points.length}%` }}
          />
          <div
            aria-hidden
            className={cn(
              "pointer-events-none absolute top-1 z-10 grid w-max gap-1 rounded-md border border-border bg-raised px-3 py-2 text-sm shadow-md",
              at > last / 2 ? "-translate-x-[calc(100%+0.5rem)]" : "translate-x-2",
            )}
            style={{ left: `${(100 * (at + (at > last / 2 ? 0 : 1))) / points.length}%` }}
          >
            <span className="font-medium">{point.title}</span>
            {point.values.map(({ label: name, text, swatch }) => (
              <span key={name} className="flex items-center gap-2">
                <span className={cn("size-2 rounded-xs", swatch)} />
                <span className="text-muted">{name}</span>
                <span className="tabular ml-auto pl-4">{text}</span>
              </span>
            ))}
          </div>
        </>
      )}
    </div>
  );
}

function describePoint(point: ChartPoint | undefined): string {
  return point ? `${point.title}: ${point.values.map(({ label, text }) => `${label} ${text}`).join(", ")}` : "";
}

function nextIndex(key: string, from: number, last: number): number | null {
  if (key === "ArrowLeft" || key === "ArrowDown") return clamp(from - 1, last);
  if (key === "ArrowRight" || key === "ArrowUp") return clamp(from + 1, last);
  if (key === "Home") return 0;
  return key === "End" ? last : null;
}

function clamp(index: number, last: number): number {
  return Math.min(last, Math.max(0, index));
}
