import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";

interface RateLimitFieldProps {
  /** The result of `register` with `PER_MINUTE`. */
  registered: UseFormRegisterReturn & { defaultValue: string | number | undefined };
  hint: string;
  error: string | undefined;
}

export function RateLimitField({ registered, hint, error }: RateLimitFieldProps) {
  return (
    <Field label="Requests per minute" hint={hint} error={error} optional>
      {(control) => <Input {...control} {...registered} inputMode="numeric" autoComplete="off" className="tabular" />}
    </Field>
  );
}

/** How the form reads the field. Text that is not a number stays as it is, so that the schema refuses it with a message. */
export const PER_MINUTE = {
  setValueAs: (text: unknown): unknown => {
    if (typeof text !== "string") return text;
    if (text.trim() === "") return null;
    return Number.isNaN(Number(text)) ? text : Number(text);
  },
};
