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
import { useAction } from "@/components/use-action.ts";
import type { Action } from "@/lib/auth/result.ts";

/** Where a form keeps that its schema did not come: no field has this name. */
const LOADING = "_loading";
const NOT_LOADED = "A part of this page could not be loaded. Check the connection, then reload the page.";

/**
 * A schema, or what loads it when the form is first touched: a page that can be read without zod should not wait for it.
 * `() => import("@/lib/members/schema.ts").then(({ inviteInput }) => inviteInput)`
 */
type FormSchema<Output, Input> = z.ZodType<Output, Input> | (() => Promise<z.ZodType<Output, Input>>);

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
    /** What an input takes to be a field of the form; the server's HTML has its value already. */
    register: <Name extends Path<Input>>(name: Name, options?: RegisterOptions<Input, Name>) => ({
      ...form.register(name, options),
      defaultValue: textOf(get(defaultValues, name)),
    }),
    pending,
    error: loadingError(form.formState.errors) ?? (atFields ? null : error),
    /** The message at a field, for `Field`. */
    errorOf: (name: Path<Input>) => {
      const message = form.getFieldState(name, form.formState).error?.message;
      return message ? sentence(message) : undefined;
    },
    // the action takes what was typed: the schema is its own to apply
    submit: form.handleSubmit(() => void run(form.getValues())),
  };
}

/** Why a form can check nothing, if so. */
export function loadingError(errors: object): string | undefined {
  return LOADING in errors ? NOT_LOADED : undefined;
}

/** react-hook-form's view of a schema: the first problem of each field. */
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

/** Schemas say "must not be empty" after a field's name; below the field it stands alone. */
function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
