import { z } from "zod";

/** A moment as a caller gives it: a date, or ISO text, whose parts of a second may be of any length in the standard. */
export const instantInput = z
  .union(
    [z.date(), z.iso.datetime({ offset: true }).max(40), z.iso.date()],
    "must be an ISO date, for example 2030-01-31 or 2030-01-31T12:00:00Z",
  )
  .transform((value) => new Date(value));
