import { StatusBadge } from "@/components/status-badge.tsx";
import type { Tone } from "@/components/ui/badge.tsx";
import type { KeyStatus as Status } from "@/lib/api-keys/status.ts";

const WORDS: Record<Status, { label: string; tone: Tone }> = {
  active: { label: "Active", tone: "success" },
  retiring: { label: "Being replaced", tone: "warning" },
  expired: { label: "Expired", tone: "danger" },
  revoked: { label: "Revoked", tone: "neutral" },
};

export function KeyStatus({ status, className }: { status: Status; className?: string }) {
  const { label, tone } = WORDS[status];
  return (
    <StatusBadge tone={tone} className={className}>
      {label}
    </StatusBadge>
  );
}
