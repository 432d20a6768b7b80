"use client";

import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";
import { isLive } from "@/lib/api-keys/status.ts";
import type { KeyChange } from "../key-dialogs.tsx";
import type { KeySummary } from "../key-row.ts";

const KeyDialog = lazyComponent(() => import("../key-dialogs.tsx").then((module) => module.KeyDialog));

export function KeyButtons({ apiKey, publicUrl }: { apiKey: KeySummary; publicUrl: string }) {
  const [asked, setAsked] = useState<KeyChange | null>(null);
  return (
    <>
      <Button variant="secondary" onClick={() => setAsked("rename")}>
        Rename
      </Button>
      {apiKey.status === "active" && (
        <Button variant="secondary" onClick={() => setAsked("rotate")}>
          Rotate
        </Button>
      )}
      {isLive(apiKey.status) && (
        <Button variant="danger" onClick={() => setAsked("revoke")}>
          Revoke
        </Button>
      )}
      {asked && <KeyDialog change={asked} apiKey={apiKey} publicUrl={publicUrl} onClose={() => setAsked(null)} />}
    </>
  );
}
