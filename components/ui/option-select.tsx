import type { ComponentProps } from "react";
import { NativeSelect } from "@/components/ui/native-select.tsx";

interface OptionSelectProps<Value extends string>
  extends Omit<ComponentProps<typeof NativeSelect>, "value" | "onChange"> {
  options: readonly { value: Value; label: string }[];
  value: Value | null;
  /** The first option, which chooses nothing. */
  none: string;
  onChange: (value: Value | null) => void;
}

/** Chooses one of some options, or none. */
export function OptionSelect<Value extends string>({
  options,
  value,
  none,
  onChange,
  ...props
}: OptionSelectProps<Value>) {
  return (
    <NativeSelect
      {...props}
      value={value ?? ""}
      onChange={({ target }) => onChange(options.find((option) => option.value === target.value)?.value ?? null)}
    >
      <option value="">{none}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </NativeSelect>
  );
}
