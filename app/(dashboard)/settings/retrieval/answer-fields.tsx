"use client";

import { Field } from "@/components/ui/field.tsx";
import { NativeSelect } from "@/components/ui/native-select.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { FormChoices } from "./form-choices.ts";
import type { SettingFields } from "./setting-fields.ts";

interface AnswerFieldsProps {
  fields: SettingFields;
  languages: FormChoices["languages"];
}

export function AnswerFields({ fields: { register, errorOf }, languages }: AnswerFieldsProps) {
  return (
    <>
      <Field label="Style" hint="Short keeps to one or two sentences. Lists and Q&A answers stay whole.">
        {(control) => (
          <NativeSelect {...control} {...register("answerStyle")} className="max-w-80">
            <option value="full">Full</option>
            <option value="short">Short</option>
          </NativeSelect>
        )}
      </Field>
      <Field
        label="Language"
        hint="Without a remote answer model, answers quote the sources in their own language, and only refusals follow this."
      >
        {(control) => (
          <NativeSelect {...control} {...register("answerLanguage")} className="max-w-80">
            <option value="automatic">The question's language</option>
            {languages.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field
        label="Refusal text"
        optional
        hint="Replaces every answer that the results do not support, in every language. Without it, a standard sentence in the answer's language is used."
        error={errorOf("refusalText")}
      >
        {(control) => (
          <Textarea
            {...control}
            {...register("refusalText")}
            rows={2}
            maxLength={500}
            placeholder="I could not find this. Our service team will help you: 0800 555 100."
          />
        )}
      </Field>
    </>
  );
}
