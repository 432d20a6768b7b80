import { z } from "zod";
import { textInput } from "../text-input.ts";

const name = textInput("is required: give the company a name")
  .trim()
  .min(1, "must not be empty")
  .max(100, "must have at most 100 characters");

export const companyNameInput = z.strictObject({ name });
/** The name that the page showed, so that nobody deletes another company by mistake. */
export const deleteCompanyInput = z.strictObject({ name: textInput().max(1_000, "is not the name of the company") });
export const createCompanyInput = companyNameInput.extend({ isSample: z.boolean().optional() });

export const companySettingsInput = z.strictObject({
  /** Audience of sources that name none; stored with each source on ingestion. */
  defaultAudience: z
    .array(
      textInput().trim().min(1, "must not be empty").max(100, "must have at most 100 characters"),
      "must be an array of strings",
    )
    .max(50, "must name at most 50")
    .transform((names) => [...new Set(names)])
    .optional(),
  /** How long a query stays in the log. */
  queryRetentionDays: z
    .int("must be a whole number of days")
    .min(1, "must be at least 1")
    .max(3650, "must be at most 3650")
    .optional(),
  /** Whether to store hashes of queries instead of their text. */
  hashQueries: z.boolean("must be true or false").optional(),
  /** Whether requests are logged with their answer and the text of their results. */
  keepAnswers: z.boolean("must be true or false").optional(),
});

export const changeSettingsInput = companySettingsInput.extend({
  /** The days that the page showed when it decided whether to ask before requests are deleted. */
  shownRetentionDays: z.int().optional(),
});

export type CreateCompanyInput = z.input<typeof createCompanyInput>;
export type CompanyNameInput = z.input<typeof companyNameInput>;
export type CompanySettingsInput = z.input<typeof companySettingsInput>;
export type ChangeSettingsInput = z.input<typeof changeSettingsInput>;
