"use client";

import { Fragment, useEffect, useState } from "react";
import { dayWords, instantWords } from "@/components/time-words.ts";
import { useHydrated } from "@/components/use-hydrated.ts";
import { dayOf } from "@/lib/durations.ts";

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*Z)/;
const TICK_MS = 30_000;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

interface TimeProps {
  date: Date | string;
  className?: string;
}

/** "3 hours ago", with the time as its title. The browser then replaces the server's text with its own. */
export function RelativeTime({ date, className }: TimeProps) {
  const [now, setNow] = useState<number>();
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const moment = new Date(date);
  return (
    <time dateTime={moment.toISOString()} title={useTitle(moment)} className={className} suppressHydrationWarning>
      {describeAge(moment.getTime(), now ?? Date.now())}
    </time>
  );
}

/** "21 Nov 2026" or "21 Nov 2026, 12:00 UTC", in UTC like days, charts and the API. */
export function AbsoluteTime({ date, time, className }: TimeProps & { time?: boolean }) {
  const moment = new Date(date);
  return (
    <time dateTime={moment.toISOString()} title={useTitle(moment)} className={className}>
      {time ? instantWords(moment, "UTC") : dayWords(dayOf(moment))}
    </time>
  );
}

/** A text whose ISO 8601 times are shown like all other times: "until 21 Nov 2026, 12:00 UTC". */
export function TextWithTimes({ text }: { text: string }) {
  return text.split(INSTANT).map((part, index) => {
    // a pattern with a group splits into texts and, at the odd places, times
    const key = `${index} ${part}`;
    return index % 2 === 1 ? <AbsoluteTime key={key} date={part} time /> : <Fragment key={key}>{part}</Fragment>;
  });
}

/** The time in UTC, and in the reader's time zone once the browser has told it. */
function useTitle(moment: Date): string {
  const title = instantWords(moment, "UTC");
  const own = useHydrated() ? instantWords(moment, undefined) : title;
  return own === title ? title : `${title} (your time: ${own})`;
}

/** "3 hours ago" or "in 2 days". */
export function describeAge(moment: number, now: number): string {
  const seconds = (moment - now) / 1_000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  // `now` may be one tick old, so something that has just happened seems to lie ahead
  return seconds * 1_000 > TICK_MS ? "in a moment" : "just now";
}
