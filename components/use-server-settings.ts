"use client";

import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useRef } from "react";
import type { FieldValues, UseFormGetValues, UseFormReset } from "react-hook-form";
import { changedSettings } from "@/lib/changed-settings.ts";

interface SettingsForm<Values extends FieldValues> {
  reset: UseFormReset<Values>;
  getValues: UseFormGetValues<Values>;
}

/**
 * Shows in a form the settings that were saved elsewhere, by another admin or beside the form. What was typed stays.
 * @param settings those that the server has sent
 * @param saved the state with the settings that the form treats as saved
 */
export function useServerSettings<Values extends FieldValues>(
  form: SettingsForm<Values>,
  settings: Values,
  [saved, setSaved]: readonly [Values, Dispatch<SetStateAction<Values>>],
): void {
  const showSettings = useEffectEvent(() => {
    form.reset({ ...settings, ...changedSettings(saved, form.getValues()) });
    setSaved(settings);
  });
  const current = JSON.stringify(settings);
  const shown = useRef(current);
  useEffect(() => {
    if (shown.current !== current) showSettings();
    shown.current = current;
  }, [current]);
}
