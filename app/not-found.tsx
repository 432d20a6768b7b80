import type { Metadata } from "next";
import Link from "next/link";
import { LogoMark } from "@/components/logo.tsx";
import { Button } from "@/components/ui/button.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="grid max-w-sm justify-items-center gap-5 text-center">
        <LogoMark className="size-9 text-muted" />
        <div className="grid gap-1.5">
          <h1 className="font-semibold text-xl tracking-tight">Page not found</h1>
          <p className="text-muted">The page may have moved, may belong to another company, or does not exist.</p>
        </div>
        <Button asChild>
          <Link href="/">Go to the home page</Link>
        </Button>
      </div>
    </main>
  );
}
