import type { MenuEntry } from "@/components/menu.tsx";
import { RowMenu } from "@/components/row-menu.tsx";
import { isLive } from "@/lib/api-keys/status.ts";
import type { KeyChange } from "./key-dialogs.tsx";
import type { KeySummary } from "./key-row.ts";

interface KeyMenuProps {
  apiKey: KeySummary;
  onAsk: (change: KeyChange) => void;
}

export function KeyMenu({ apiKey, onAsk }: KeyMenuProps) {
  const entries: MenuEntry[] = [
    { kind: "link", label: "Requests and details", href: `/settings/api-keys/${apiKey.id}` },
    { kind: "item", label: "Rename", onSelect: () => onAsk("rename") },
  ];
  if (apiKey.status === "active") entries.push({ kind: "item", label: "Rotate", onSelect: () => onAsk("rotate") });
  if (isLive(apiKey.status)) {
    entries.push({ kind: "separator" });
    entries.push({ kind: "item", label: "Revoke", destructive: true, onSelect: () => onAsk("revoke") });
  }
  return <RowMenu label={`Actions for ${apiKey.name}`} entries={entries} />;
}
