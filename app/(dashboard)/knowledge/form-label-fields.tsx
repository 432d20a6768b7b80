"use client";

import { useFormContext } from "react-hook-form";
import type { LabelsInput } from "@/lib/knowledge/intake/edit-input.ts";
import { LabelFields, type LabelFieldsProps } from "./label-fields.tsx";

/** `LabelFields` for the form of the nearest `FormProvider`. */
export function FormLabelFields(props: Omit<LabelFieldsProps, "value" | "onChange">) {
  const { watch, setValue } = useFormContext<LabelsInput>();
  const [audience, contentCategory, path] = watch(["audience", "contentCategory", "path"]);
  return (
    <LabelFields
      {...props}
      value={{ audience, contentCategory, path }}
      onChange={(labels) => {
        setValue("audience", labels.audience);
        setValue("contentCategory", labels.contentCategory);
        setValue("path", labels.path);
      }}
    />
  );
}
