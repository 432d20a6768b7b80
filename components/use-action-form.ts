"use client";

import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  get,
  type Path,
  type RegisterOptions,
  type Resolver,
  set,
  useForm,
} from "react-hook-form";
import type { z } from "zod";
import { capitalize } from "@/components/capitalize.ts";
import { fieldMessage } from "@/components/field-errors.ts";
import { useAction } from "@/components/use-action.ts";
import type { Action } from "@/lib/auth/result.ts";

/** Name of the error for a schema that could not be loaded. No field has this name. */
const LOADING = "_loading";
const NOT_LOADED = "A part of this page could not be loaded. Check the connection, then reload the page.";

/**
 * A schema, or a function that loads it when the form is first used, so that a page does not have to wait for zod:
 * `() => import("@/lib/members/schema.ts").then(({ inviteInput }) => inviteInput)`
 */
type FormSchema<Output, Input> = z.ZodType<Output, Input> | (() => Promise<z.ZodType<Output, Input>>);

interface UseActionFormOptions<Input extends FieldValues, Data> {
  defaultValues: DefaultValues<Input>;
  onSuccess?: (data: Data, input: Input) => void;
  success?: string;
}

/**
 * A form that submits to an action. The browser validates it with the service's schema, then the server does, whose
 * issues are shown at their fields. Pass `submit` to the `<form>`; `error` is an error that belongs to no field.
 */
export function useActionForm<Input extends FieldValues, Output, Data>(
  schema: FormSchema<Output, Input>,
  action: Action<Input, Data>,
  { defaultValues, onSuccess, success }: UseActionFormOptions<Input, Data>,
) {
  const form = useForm<Input, unknown, Output>({ resolver: resolverOf(schema), defaultValues, mode: "onTouched" });
  const { run, pending, error, issues } = useAction(action, {
    ...(onSuccess && { onSuccess }),
    ...(success && { success }),
    onError: (_, found) => {
      for (const { path, message } of found) {
        if (isField(path)) form.setError(path, { message });
      }
    },
  });
  const isField = (path: string): path is Path<Input> => get(form.getValues(), path) !== undefined;
  const atFields = issues.length > 0 && issues.every(({ path }) => isField(path));
  return {
    form,
    /** Props of an input, with the default value, so that the server's HTML contains it. */
    register: <Name extends Path<Input>>(name: Name, options?: RegisterOptions<Input, Name>) => ({
      ...form.register(name, options),
      defaultValue: textOf(get(defaultValues, name)),
    }),
    pending,
    error: loadingError(form.formState.errors) ?? (atFields ? null : error),
    /** The error of a field or of an entry of its list, for `Field`. */
    errorOf: (name: Path<Input>) => {
      const message = fieldMessage(form.getFieldState(name, form.formState).error);
      return message ? capitalize(message) : undefined;
    },
    // sends the raw input, because the action applies the schema itself
    submit: form.handleSubmit(() => void run(form.getValues())),
  };
}

/** Returns a message if the form's schema could not be loaded. */
export function loadingError(errors: object): string | undefined {
  return LOADING in errors ? NOT_LOADED : undefined;
}

/** A react-hook-form resolver for a schema, with the first issue of each field. */
export function resolverOf<Input extends FieldValues, Output>(
  schema: FormSchema<Output, Input>,
): Resolver<Input, unknown, Output> {
  return async (values) => {
    const loaded = typeof schema === "function" ? await schema().catch(() => null) : schema;
    const errors: FieldErrors<Input> = {};
    if (!loaded) {
      set(errors, LOADING, { type: LOADING });
      return { values: {}, errors };
    }
    const parsed = loaded.safeParse(values);
    if (parsed.success) return { values: parsed.data, errors: {} };
    for (const { path, code, message } of parsed.error.issues) {
      const name = path.join(".");
      if (!get(errors, name)) set(errors, name, { type: code, message });
    }
    return { values: {}, errors };
  };
}

function textOf(value: unknown): string | number | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}
