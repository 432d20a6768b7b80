"use client";

import { Controller } from "react-hook-form";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { NativeSelect } from "@/components/ui/native-select.tsx";
import { SwitchField } from "@/components/ui/toggle-field.tsx";
import type { FormChoices } from "./form-choices.ts";
import type { SettingFields } from "./setting-fields.ts";

interface SearchFieldsProps {
  fields: SettingFields;
  weights: FormChoices["weights"];
}

export function SearchFields({ fields: { form, register, errorOf }, weights }: SearchFieldsProps) {
  return (
    <>
      <Controller
        control={form.control}
        name="useRerank"
        render={({ field }) => (
          <SwitchField
            label="Rerank by default"
            hint="Compares the best results with the question once more. More precise, and slower."
            checked={field.value ?? false}
            onCheckedChange={field.onChange}
          />
        )}
      />
      <Field
        label="Score threshold by default"
        hint="From 0 to 1. Results with a lower score are not returned. With 0, every result is returned up to the limit."
        error={errorOf("scoreThreshold")}
      >
        {(control) => (
          <Input
            {...control}
            {...register("scoreThreshold", { valueAsNumber: true })}
            type="number"
            inputMode="decimal"
            min={0}
            max={1}
            step={0.05}
            className="tabular max-w-32"
          />
        )}
      </Field>
      <Field
        label="Vector and keyword search"
        hint="Automatic follows the language: keywords count more where the embedding model does not know the words."
        error={errorOf("vectorWeight")}
      >
        {(control) => (
          <Controller
            control={form.control}
            name="vectorWeight"
            render={({ field: { value, onChange, onBlur } }) => (
              <NativeSelect
                {...control}
                className="max-w-80"
                value={value ?? ""}
                onBlur={onBlur}
                onChange={({ target }) => onChange(target.value === "" ? null : Number(target.value))}
              >
                <option value="">Automatic</option>
                {weights.map((weight) => (
                  <option key={weight.value} value={weight.value}>
                    {weight.words}
                  </option>
                ))}
              </NativeSelect>
            )}
          />
        )}
      </Field>
    </>
  );
}
