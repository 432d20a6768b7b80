import { z } from "zod";
import { ANSWER_STYLES, type RetrievalSettings, retrievalSettings } from "../db/stored-json.ts";
import { LANGUAGES } from "../languages.ts";

const { useRerank, scoreThreshold, vectorWeight, refusalText } = retrievalSettings.shape;

/** The choice of a form that leaves the language to the question. */
const AUTOMATIC = "automatic";

/** The settings as a form has them, with every default written out. */
export const retrievalSettingsForm = z.strictObject({
  useRerank: useRerank.unwrap(),
  scoreThreshold: scoreThreshold.unwrap(),
  /** Null: by the language of the question and of the knowledge. */
  vectorWeight: vectorWeight.unwrap().nullable(),
  refusalText: z.literal("").or(refusalText.unwrap()),
  answerStyle: z.enum(ANSWER_STYLES),
  answerLanguage: z.enum([AUTOMATIC, ...LANGUAGES]),
});

/** The settings of the form that an admin changed. A missing setting keeps its value. */
export const changedSettingsInput = retrievalSettingsForm.partial();

export type ChangedSettingsInput = z.input<typeof changedSettingsInput>;

export type RetrievalSettingsForm = z.infer<typeof retrievalSettingsForm>;

export const DEFAULT_SETTINGS: RetrievalSettingsForm = {
  useRerank: false,
  scoreThreshold: 0,
  vectorWeight: null,
  refusalText: "",
  answerStyle: "full",
  answerLanguage: AUTOMATIC,
};

export function toForm(settings: RetrievalSettings): RetrievalSettingsForm {
  return { ...DEFAULT_SETTINGS, ...settings };
}

/** Keeps only what differs from the defaults. */
export function toSettings(form: RetrievalSettingsForm): RetrievalSettings {
  return {
    ...(form.useRerank && { useRerank: true }),
    ...(form.scoreThreshold > 0 && { scoreThreshold: form.scoreThreshold }),
    ...(form.vectorWeight !== null && { vectorWeight: form.vectorWeight }),
    ...(form.refusalText !== "" && { refusalText: form.refusalText }),
    ...(form.answerStyle !== DEFAULT_SETTINGS.answerStyle && { answerStyle: form.answerStyle }),
    ...(form.answerLanguage !== AUTOMATIC && { answerLanguage: form.answerLanguage }),
  };
}

export const restoreDefaultsInput = z.strictObject({});
