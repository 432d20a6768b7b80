import { useFormContext } from "react-hook-form";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import type { CreateKeyInput } from "@/lib/api-keys/schema.ts";

interface RateLimitFieldProps {
  hint: string;
  error: string | undefined;
}

/** Requests per minute, for the form of the nearest `FormProvider`. */
export function RateLimitField({ hint, error }: RateLimitFieldProps) {
  const { register } = useFormContext<Pick<CreateKeyInput, "rateLimitPerMinute">>();
  return (
    <Field label="Requests per minute" hint={hint} error={error} optional>
      {(control) => (
        <Input
          {...control}
          {...register("rateLimitPerMinute", { setValueAs: numberOrText })}
          inputMode="numeric"
          autoComplete="off"
          className="tabular"
        />
      )}
    </Field>
  );
}

/** Text that is not a number stays as it is, so that the schema refuses it with a message. */
function numberOrText(text: unknown): unknown {
  if (typeof text !== "string") return text;
  if (text.trim() === "") return null;
  return Number.isNaN(Number(text)) ? text : Number(text);
}
