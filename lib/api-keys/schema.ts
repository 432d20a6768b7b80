import { z } from "zod";
import { KEY_SCOPES } from "../db/column-values.ts";
import { keyPolicy } from "../db/stored-json.ts";
import { HOUR_MS } from "../durations.ts";
import { instantInput } from "../instant.ts";
import { textInput } from "../text-input.ts";

const MAX_RATE_LIMIT = 1_000_000;
export const OVERLAPS = ["now", "1h", "24h", "7d"] as const;
export const OVERLAP_MS: Record<Overlap, number> = { now: 0, "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 168 * HOUR_MS };

const name = textInput("is required: give the key a name")
  .trim()
  .min(1, "must not be empty")
  .max(50, "must have at most 50 characters");

/** Not validated as a UUID: an unknown id is answered as not found. */
const id = textInput().max(100, "must have at most 100 characters");

const limits = {
  expiresAt: instantInput.refine((date) => date > new Date(), "must be in the future").nullish(),
  rateLimitPerMinute: z
    .int("must be a whole number")
    .min(0, "must be at least 0")
    .max(MAX_RATE_LIMIT, `must be at most ${MAX_RATE_LIMIT}`)
    .nullish(),
  scopes: z
    .array(z.enum(KEY_SCOPES, `must be one of ${KEY_SCOPES.join(", ")}`), "must be an array of scopes")
    .min(1, "must not be empty: choose what the key may do")
    .max(KEY_SCOPES.length, "must not repeat a scope")
    .nullish(),
  policy: keyPolicy.nullish(),
};

/**
 * A key without `expiresAt` never expires; one without `scopes` has `retrieve` alone. `rateLimitPerMinute` is in requests,
 * 0 for no limit, null for the installation's default.
 */
export const createKeyInput = z.strictObject({ name, ...limits });

/** Absent and null fields stay unchanged. */
export const restrictKeyInput = z.strictObject({ id, ...limits });

export const renameKeyInput = z.strictObject({ id, name });

export const rotateKeyInput = z.strictObject({
  id,
  /** How long the old key keeps working. */
  overlap: z.enum(OVERLAPS, `must be one of ${OVERLAPS.join(", ")}`).default("24h"),
});

export const revokeKeyInput = z.strictObject({ id });

export type CreateKeyInput = z.input<typeof createKeyInput>;
export type RestrictKeyInput = z.input<typeof restrictKeyInput>;
export type RenameKeyInput = z.input<typeof renameKeyInput>;
export type RotateKeyInput = z.input<typeof rotateKeyInput>;
export type Overlap = (typeof OVERLAPS)[number];

/** The 200 response body of `GET /v1/api/status`: exactly these fields. */
export const statusResponse = z
  .strictObject({
    status: z.literal("ok").meta({ description: "`ok` when the API is operational." }),
    timestamp: z.iso.datetime({ precision: 3 }).meta({ description: "UTC, with milliseconds." }),
    apiKey: z
      .strictObject({
        id: z.uuid().meta({ description: "Identifier of the key." }),
        name: z.string().meta({ description: "Name given to the key.", example: "Website chatbot" }),
        companyId: z.uuid().meta({ description: "The company that the key belongs to." }),
        maskedToken: z.string().meta({
          description: "Prefix and last four characters; the whole key is never returned.",
          example: "ragstone_live_************x9Qz",
        }),
      })
      .meta({ description: "The key that was used." }),
  })
  .meta({ id: "StatusResponse" });
