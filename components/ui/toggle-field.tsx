"use client";

import { type ReactNode, useId } from "react";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Switch } from "@/components/ui/switch.tsx";

interface ToggleFieldProps {
  label: ReactNode;
  /** Meaning of the setting when it is on. */
  hint?: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** A setting that is on or off. */
export function SwitchField(props: ToggleFieldProps) {
  return <Row {...props} control={(control) => <Switch {...control} className="-mt-px" />} />;
}

/** One of several choices, or a setting that applies when the form is submitted. */
export function CheckboxField({ onCheckedChange, ...props }: ToggleFieldProps) {
  return (
    <Row
      {...props}
      onCheckedChange={onCheckedChange}
      control={({ onCheckedChange: report, ...control }) => (
        <Checkbox {...control} onCheckedChange={(checked) => report(checked === true)} />
      )}
    />
  );
}

interface ControlProps extends Omit<ToggleFieldProps, "label" | "hint"> {
  id: string;
  "aria-describedby": string | undefined;
  className: string;
}

function Row({ label, hint, control, ...rest }: ToggleFieldProps & { control: (props: ControlProps) => ReactNode }) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  return (
    <div className="flex max-w-prose items-start gap-3">
      {control({ ...rest, id, "aria-describedby": hintId, className: "mt-0.5" })}
      <div className="grid gap-0.5">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {hint && (
          <p id={hintId} className="text-muted text-sm">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
