"use client";

import type { FormEvent, ReactNode } from "react";
import { useFormContext } from "react-hook-form";
import { ErrorMessage } from "@/components/error-message.tsx";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardFooter } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import type { LabelsInput } from "@/lib/knowledge/intake/edit-input.ts";
import { FormLabelFields } from "../form-label-fields.tsx";
import type { AddProps } from "./add-props.ts";

const WidenDialog = lazyComponent(() => import("../widen-dialog.tsx").then((module) => module.WidenDialog));

interface SharedInput extends LabelsInput {
  sourceId: string;
  widen: boolean;
}

/** The values that every form which adds one source starts with. */
export const SHARED_DEFAULTS: SharedInput = { sourceId: "", audience: [], widen: false, contentCategory: "", path: "" };

interface AddFormProps extends AddProps {
  /** Label of the submit button: "Add text". */
  confirm: string;
  identifierHint: string;
  submit: (event?: FormEvent) => Promise<void>;
  /** Called before the person sends the form, and not when they confirm a question about it. */
  onSend?: () => void;
  pending: boolean;
  error: string | null;
  errorOf: (name: keyof SharedInput) => string | undefined;
  /** The fields above the identifier. */
  children: ReactNode;
}

/** The form that adds one source, for the form of the nearest `FormProvider`. */
export function AddForm({
  confirm,
  identifierHint,
  submit,
  onSend,
  pending,
  error,
  errorOf,
  children,
  ...labels
}: AddFormProps) {
  const { register, setValue, clearErrors } = useFormContext<SharedInput>();
  const question = errorOf("widen");

  /** Asks again what was confirmed for an earlier attempt. */
  function send(event: FormEvent): void {
    setValue("widen", false);
    onSend?.();
    void submit(event);
  }

  return (
    <Card>
      <form onSubmit={send} noValidate>
        <CardBody className="grid gap-5">
          {children}
          <Field label="Identifier" optional error={errorOf("sourceId")} hint={identifierHint}>
            {(control) => <Input {...control} {...register("sourceId")} autoComplete="off" />}
          </Field>
          <FormLabelFields {...labels} errorOf={errorOf} />
          <ErrorMessage>{error}</ErrorMessage>
        </CardBody>
        <CardFooter className="justify-end">
          <Button type="submit" pending={pending}>
            {confirm}
          </Button>
        </CardFooter>
      </form>
      {question && (
        <WidenDialog
          question={question}
          confirm={confirm}
          onCancel={() => clearErrors("widen")}
          onConfirm={() => {
            setValue("widen", true);
            void submit();
          }}
        />
      )}
    </Card>
  );
}
