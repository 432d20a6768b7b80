"use client";

import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Sun from "lucide-react/icons/sun";
import { useTheme } from "next-themes";
import { useEffect, useState } from "react";
import { cn } from "@/components/cn.ts";
import { PlainButton } from "@/components/ui/plain-button.tsx";

const THEMES = [
  { value: "light", label: "Light", Icon: Sun },
  { value: "dark", label: "Dark", Icon: Moon },
  { value: "system", label: "System", Icon: Monitor },
] as const;

/** Three buttons, of which the chosen one is pressed. None is pressed on the server, which does not know the theme. */
export function ThemeToggle({ className }: { className?: string }) {
  const { theme, setTheme } = useTheme();
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <fieldset className={cn("inline-flex rounded-md border border-border bg-subtle p-0.5", className)}>
      <legend className="sr-only">Theme</legend>
      {THEMES.map(({ value, label, Icon }) => (
        <PlainButton
          key={value}
          aria-pressed={ready && theme === value}
          aria-label={label}
          title={label}
          onClick={() => setTheme(value)}
          className="grid size-7 place-items-center rounded-sm text-muted transition-colors hover:text-foreground aria-pressed:bg-surface aria-pressed:text-foreground aria-pressed:shadow-xs max-sm:size-10"
        >
          <Icon className="size-4" aria-hidden />
        </PlainButton>
      ))}
    </fieldset>
  );
}
