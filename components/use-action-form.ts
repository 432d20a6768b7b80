"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { type DefaultValues, type FieldValues, type Path, useForm } from "react-hook-form";
import type { z } from "zod";
import { useAction } from "@/components/use-action.ts";
import type { Action } from "@/lib/auth/result.ts";

interface UseActionFormOptions<Input extends FieldValues, Data> {
  defaultValues: DefaultValues<Input>;
  onSuccess?: (data: Data, input: Input) => void;
  success?: string;
}

/**
 * A form over an action: checked by the service's own schema in the browser, and again on the server, whose issues land
 * at their fields. `submit` goes on the `<form>`; `error` is what belongs to no field.
 */
export function useActionForm<Input extends FieldValues, Output, Data>(
  schema: z.ZodType<Output, Input>,
  action: Action<Input, Data>,
  { defaultValues, onSuccess, success }: UseActionFormOptions<Input, Data>,
) {
  const form = useForm<Input, unknown, Output>({
    resolver: zodResolver(schema),
    defaultValues,
    // the schema answers what it makes of the values, the action takes what was typed
    mode: "onTouched",
  });
  const { run, pending, error, issues } = useAction(action, {
    onSuccess,
    ...(success && { success }),
    onError: (_, found) => {
      for (const { path, message } of found) {
        if (path in form.getValues()) form.setError(path as Path<Input>, { message });
      }
    },
  });
  const atFields = issues.length > 0 && issues.every(({ path }) => path in form.getValues());
  return {
    form,
    pending,
    error: atFields ? null : error,
    /** The message at a field, for `Field`. */
    errorOf: (name: Path<Input>) => {
      const message = form.getFieldState(name, form.formState).error?.message;
      return message ? sentence(message) : undefined;
    },
    submit: form.handleSubmit(() => void run(form.getValues())),
  };
}

/** Schemas say "must not be empty" after a field's name; below the field it stands alone. */
function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
