"use client";

import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";

const SignOutEverywhereDialog = lazyComponent(() =>
  import("@/app/(dashboard)/shell/sign-out-everywhere-dialog.tsx").then((module) => module.SignOutEverywhereDialog),
);

export function SignOutEverywhere() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        Sign out everywhere
      </Button>
      {asking && <SignOutEverywhereDialog onClose={() => setAsking(false)} />}
    </>
  );
}
