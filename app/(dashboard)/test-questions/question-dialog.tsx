"use client";

import { Controller } from "react-hook-form";
import { DialogForm } from "@/components/dialog-form.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { OptionSelect } from "@/components/ui/option-select.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { SwitchField } from "@/components/ui/toggle-field.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { useDiscardQuestion } from "@/components/use-discard-question.tsx";
import { type SaveTestQuestionInput, saveTestQuestionInput } from "@/lib/test-questions/schema.ts";
import { saveTestQuestionAction } from "./actions.ts";
import type { KeyOption } from "./key-options.ts";
import { SourceField } from "./source-field.tsx";

interface QuestionDialogProps {
  keys: KeyOption[];
  /** The values of the fields, with the id of the test question to change. */
  values: SaveTestQuestionInput;
  onClose: () => void;
}

/** The form of a new test question, or of one to change. */
export function QuestionDialog({ keys, values, onClose }: QuestionDialogProps) {
  const verb = values.id === null ? "Add test question" : "Save test question";
  const { form, register, submit, pending, error, errorOf } = useActionForm(
    saveTestQuestionInput,
    saveTestQuestionAction,
    {
      defaultValues: values,
      success: values.id === null ? "Test question added" : "Test question saved",
      onSuccess: onClose,
    },
  );
  const { isDirty } = form.formState;
  const { onOpenChange, question } = useDiscardQuestion(() => isDirty, onClose);
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={values.id === null ? "Add test question" : "Edit test question"}
        description="Fill in at least one expectation. The question runs within a minute."
      >
        <DialogForm onSubmit={submit} confirm={verb} pending={pending} error={error}>
          <Field label="Question" error={errorOf("question")} required>
            {(control) => <Textarea {...control} {...register("question")} rows={2} autoFocus />}
          </Field>
          <Controller
            control={form.control}
            name="apiKeyId"
            render={({ field }) => (
              <Field label="Ask as" hint="A key finds only what its policy allows." error={errorOf("apiKeyId")}>
                {(control) => (
                  <OptionSelect
                    {...control}
                    options={keys.map(({ id, name }) => ({ value: id, label: name }))}
                    none="Everyone (no restrictions)"
                    unknown="An expired or revoked key"
                    value={field.value ?? null}
                    onChange={field.onChange}
                  />
                )}
              </Field>
            )}
          />
          <Controller
            control={form.control}
            name="expectedSource"
            render={({ field }) => (
              <SourceField
                label="Source that must be found"
                value={field.value ?? ""}
                error={errorOf("expectedSource")}
                onChange={field.onChange}
              />
            )}
          />
          <Controller
            control={form.control}
            name="excludedSource"
            render={({ field }) => (
              <SourceField
                label="Source that must not be found"
                value={field.value ?? ""}
                error={errorOf("excludedSource")}
                onChange={field.onChange}
              />
            )}
          />
          <Controller
            control={form.control}
            name="facts"
            render={({ field }) => (
              <Field
                label="Facts that the answer must state"
                hint="One per line. Separate alternatives with |, for example: 30 days | one month"
                error={errorOf("facts")}
                optional
              >
                {(control) => (
                  <Textarea
                    {...control}
                    value={(field.value ?? []).join("\n")}
                    onChange={({ target }) => field.onChange(target.value.split("\n"))}
                    onBlur={field.onBlur}
                  />
                )}
              </Field>
            )}
          />
          <Controller
            control={form.control}
            name="mustRefuse"
            render={({ field }) => (
              <SwitchField
                label="Must be refused"
                hint="For questions that your knowledge does not answer."
                checked={field.value ?? false}
                onCheckedChange={field.onChange}
              />
            )}
          />
        </DialogForm>
        {question}
      </DialogContent>
    </Dialog>
  );
}
