import type { ReactNode } from "react";

/** Settings are read more than worked in: a narrower column. */
export default function SettingsLayout({ children }: { children: ReactNode }) {
  return <div className="grid max-w-5xl content-start gap-6">{children}</div>;
}
