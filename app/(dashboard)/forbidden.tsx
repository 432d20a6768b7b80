import Lock from "lucide-react/icons/lock";
import type { Metadata } from "next";
import Link from "next/link";
import { EmptyState } from "@/components/empty-state.tsx";
import { Button } from "@/components/ui/button.tsx";
import { SUPPORT_MAY } from "@/lib/auth/role-words.ts";

export const metadata: Metadata = { title: "No permission" };

export default function Forbidden() {
  return (
    <>
      <h1 className="sr-only">No permission</h1>
      <EmptyState
        icon={Lock}
        title="Only admins see this page"
        actions={
          <Button variant="secondary" asChild>
            <Link href="/overview">Back to the overview</Link>
          </Button>
        }
      >
        Your role in this company is support. You can {SUPPORT_MAY}. An admin can change your role under Settings ›
        Members.
      </EmptyState>
    </>
  );
}
