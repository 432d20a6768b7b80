import { z } from "zod";
import { dayInput } from "../../instant.ts";
import { sourceFilter } from "../browse/browse-query.ts";
import { VERIFIED_AT_ONCE } from "../limits.ts";

export const verifiedIdsInput = z.object({
  ids: z.array(z.uuid()).min(1).max(VERIFIED_AT_ONCE, `must be at most ${VERIFIED_AT_ONCE} sources: select fewer`),
});

export const verifyInput = verifiedIdsInput.extend({
  /** The last day of the verification; null for no end. */
  until: dayInput.refine((day) => day >= new Date().toISOString().slice(0, 10), "must not be in the past").nullable(),
  /** The version that was read, of a single source. */
  versionId: z.uuid().optional(),
  /** With the filter by which the sources were chosen, those that no longer pass it are left out. */
  filter: sourceFilter.optional(),
});
