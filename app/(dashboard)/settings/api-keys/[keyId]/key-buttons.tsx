"use client";

import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";
import type { ApiKey } from "@/lib/api-keys/service.ts";
import { isLive } from "@/lib/api-keys/status.ts";
import type { Labels } from "@/lib/knowledge/browse/list-labels.ts";
import type { KeyChange } from "../key-dialogs.tsx";

const KeyDialog = lazyComponent(() => import("../key-dialogs.tsx").then((module) => module.KeyDialog));
const RestrictDialog = lazyComponent(() => import("../restrict-dialog.tsx").then((module) => module.RestrictDialog));

interface KeyButtonsProps {
  apiKey: ApiKey;
  labels: Labels;
  publicUrl: string;
}

export function KeyButtons({ apiKey, labels, publicUrl }: KeyButtonsProps) {
  const [asked, setAsked] = useState<KeyChange | "restrict" | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <Button variant="secondary" onClick={() => setAsked("rename")}>
        Rename
      </Button>
      {isLive(apiKey.status) && (
        <Button variant="secondary" onClick={() => setAsked("restrict")}>
          Restrict
        </Button>
      )}
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
      {asked === "restrict" && <RestrictDialog apiKey={apiKey} labels={labels} onClose={close} />}
      {asked && asked !== "restrict" && (
        <KeyDialog change={asked} apiKey={apiKey} publicUrl={publicUrl} onClose={close} />
      )}
    </>
  );
}
