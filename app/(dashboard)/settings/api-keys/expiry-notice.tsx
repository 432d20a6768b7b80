import Link from "next/link";
import type { ReactNode } from "react";
import { RelativeTime } from "@/components/relative-time.tsx";
import { counted } from "@/lib/counted.ts";
import { expiresSoon, type KeySummary } from "./key-row.ts";

const NAMED = 3;

/** Says on the page of a key that the key expires soon. */
export function ExpiryNotice({ apiKey }: { apiKey: KeySummary }) {
  if (!apiKey.expiresAt || !expiresSoon(apiKey)) return null;
  return (
    <Notice>
      This key expires <RelativeTime date={apiKey.expiresAt} />. Systems that use it will then get 401. Create a new key
      for them.
    </Notice>
  );
}

/** Names the keys that expire soon, above the list of keys. */
export function ExpiryList({ keys }: { keys: KeySummary[] }) {
  const expiring = keys.filter(expiresSoon);
  if (expiring.length === 0) return null;
  const others = expiring.length - NAMED;
  return (
    <Notice>
      {expiring.length === 1 ? "1 key expires" : `${expiring.length} keys expire`} within 7 days:{" "}
      {expiring.slice(0, NAMED).map(({ id, name, maskedToken, expiresAt }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <Link href={`/settings/api-keys/${id}`} className="font-medium underline underline-offset-4">
            {name} (…{maskedToken.slice(-4)})
          </Link>{" "}
          {expiresAt && <RelativeTime date={expiresAt} />}
        </span>
      ))}
      {others > 0 && ` and ${counted(others, "other")}`}. Systems that use an expired key get 401. Create new keys for
      them.
    </Notice>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return <p className="wrap-anywhere rounded-md bg-warning-soft px-4 py-3 text-warning">{children}</p>;
}
