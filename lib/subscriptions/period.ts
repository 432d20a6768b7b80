export interface Period {
  start: Date;
  /** Exclusive: the first moment of the next period. */
  end: Date;
}

/**
 * The monthly period around `now`, counted from an anchor. With an anchor on the 31st, shorter months use their last
 * day. UTC.
 */
export function monthlyPeriod(anchor: Date, now: Date): Period {
  const months = (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + now.getUTCMonth() - anchor.getUTCMonth();
  const elapsed = addMonths(anchor, months) > now ? months - 1 : months;
  return { start: addMonths(anchor, elapsed), end: addMonths(anchor, elapsed + 1) };
}

function addMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return moved;
}
