import type { ComponentProps } from "react";
import { NativeSelect } from "@/components/ui/native-select.tsx";

interface OptionSelectProps<Value extends string>
  extends Omit<ComponentProps<typeof NativeSelect>, "value" | "onChange"> {
  options: readonly { value: Value; label: string }[];
  value: Value | null;
  /** The first option, which chooses nothing. */
  none: string;
  /** Names a value that is none of the options, which would otherwise look like the first one. */
  unknown?: string;
  onChange: (value: Value | null) => void;
}

/** Chooses one of some options, or none. */
export function OptionSelect<Value extends string>({
  options,
  value,
  none,
  unknown,
  onChange,
  ...props
}: OptionSelectProps<Value>) {
  const isUnknown = value !== null && !options.some((option) => option.value === value);
  return (
    <NativeSelect
      {...props}
      value={value ?? ""}
      onChange={({ target }) => onChange(options.find((option) => option.value === target.value)?.value ?? null)}
    >
      <option value="">{none}</option>
      {unknown && isUnknown && <option value={value}>{unknown}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </NativeSelect>
  );
}
