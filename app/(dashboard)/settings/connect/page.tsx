import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/components/page-header.tsx";
import { Button } from "@/components/ui/button.tsx";
import { listKeys } from "@/lib/api-keys/service.ts";
import { requireMember } from "@/lib/auth/session.ts";
import { env } from "@/lib/env.ts";
import { ConnectGuide } from "./connect-guide.tsx";

export const metadata: Metadata = { title: "Connect" };

export default async function ConnectPage() {
  const { scope, actor } = await requireMember({ role: "admin" });
  const keys = await listKeys(scope, actor);
  const usable = keys
    .filter(({ status }) => status === "active")
    .map(({ id, name, scopes, maskedToken }) => ({ id, name, scopes, last4: maskedToken.slice(-4) }));
  return (
    <>
      <PageHeader
        title="Connect"
        description="Choose a program, give it a key, and copy what it needs."
        actions={
          <Button variant="secondary" asChild>
            <Link href="/docs">API reference</Link>
          </Button>
        }
      />
      <ConnectGuide keys={usable} publicUrl={env().publicUrl} />
    </>
  );
}
