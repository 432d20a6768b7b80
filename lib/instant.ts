import { z } from "zod";

/**
 * A point in time from a caller: a date, or ISO text. The length is limited because the standard allows any number of
 * decimals.
 */
export const instantInput = z
  .union(
    [z.date(), z.iso.datetime({ offset: true }).max(40), z.iso.date()],
    "must be an ISO date, for example 2030-01-31 or 2030-01-31T12:00:00Z",
  )
  .transform((value) => new Date(value));
