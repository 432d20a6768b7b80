"use server";

import { action } from "@/lib/auth/action.ts";
import { changedSettingsInput, restoreDefaultsInput } from "@/lib/retrieval-settings/schema.ts";
import { restoreDefaultSettings, saveRetrievalSettings } from "@/lib/retrieval-settings/service.ts";
import { switchCalibrationInput } from "@/lib/score-calibration/schema.ts";
import { switchCalibration } from "@/lib/score-calibration/service.ts";

export const saveRetrievalSettingsAction = action(
  { name: "retrieval.save_settings", role: "admin", schema: changedSettingsInput },
  ({ scope, actor, input }) => saveRetrievalSettings(scope, actor, input),
);

export const switchCalibrationAction = action(
  { name: "retrieval.switch_calibration", role: "admin", schema: switchCalibrationInput },
  ({ scope, actor, input }) => switchCalibration(scope, actor, input),
);

export const restoreDefaultSettingsAction = action(
  { name: "retrieval.restore_defaults", role: "admin", schema: restoreDefaultsInput },
  ({ scope, actor }) => restoreDefaultSettings(scope, actor),
);
