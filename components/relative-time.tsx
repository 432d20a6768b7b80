"use client";

import { Fragment, useEffect, useState } from "react";

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

/** "3 hours ago", with the absolute time as its title. The browser then replaces the server's text with its own. */
export function RelativeTime({ date, className }: TimeProps) {
  const [now, setNow] = useState<number>();
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const moment = new Date(date);
  return (
    <time
      dateTime={moment.toISOString()}
      title={absolute(moment, now === undefined)}
      className={className}
      suppressHydrationWarning
    >
      {describeAge(moment.getTime(), now ?? Date.now())}
    </time>
  );
}

/** "21 Nov 2026", with time and zone as its title. In UTC until the browser knows the local time zone. */
export function AbsoluteTime({ date, time, className }: TimeProps & { time?: boolean }) {
  const [local, setLocal] = useState(false);
  useEffect(() => setLocal(true), []);
  const moment = new Date(date);
  const full = absolute(moment, !local);
  return (
    <time dateTime={moment.toISOString()} title={full} className={className}>
      {time ? full : moment.toLocaleDateString("en-GB", { dateStyle: "medium", timeZone: local ? undefined : "UTC" })}
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

function absolute(moment: Date, utc: boolean): string {
  return moment.toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: utc ? "UTC" : undefined,
    timeZoneName: "short",
  });
}

function describeAge(moment: number, now: number): string {
  const seconds = (moment - now) / 1_000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return seconds > 0 ? "in a moment" : "just now";
}
