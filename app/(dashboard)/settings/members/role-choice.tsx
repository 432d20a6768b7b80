"use client";

import { RadioCard, RadioGroup } from "@/components/ui/radio-group.tsx";
import { SUPPORT_MAY } from "@/lib/auth/role-words.ts";
import type { Role } from "@/lib/db/column-values.ts";

interface RoleChoiceProps {
  value: Role;
  onChange: (role: Role) => void;
}

export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">Role</legend>
      <RadioGroup
        value={value}
        onValueChange={(role) => onChange(role === "admin" ? "admin" : "support")}
        aria-label="Role"
      >
        <RadioCard value="support" label="Support" description={`Can ${SUPPORT_MAY}.`} />
        <RadioCard
          value="admin"
          label="Admin"
          description="Can change everything: keys, subscription, members and the company."
        />
      </RadioGroup>
    </fieldset>
  );
}
