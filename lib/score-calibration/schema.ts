import { z } from "zod";

export const switchCalibrationInput = z.strictObject({ on: z.boolean("must be true or false") });

export type SwitchCalibrationInput = z.infer<typeof switchCalibrationInput>;
