"use client";

import { CopyButton } from "@/components/copy-button.tsx";
import { Button } from "@/components/ui/button.tsx";

interface FailureProps {
  error: unknown;
  retry: () => void;
}

/** Shown by error boundaries: what to do, and the request id under which the server logged the error. */
export function Failure({ error, retry }: FailureProps) {
  const id = error instanceof Error && "digest" in error ? String(error.digest) : null;
  return (
    <div role="alert" className="mx-auto grid max-w-md justify-items-center gap-5 py-16 text-center">
      <div className="grid gap-1.5">
        <h1 className="font-semibold text-xl tracking-tight">This page could not be shown</h1>
        <p className="text-muted">
          Something went wrong on the server. Try again. If it keeps failing, tell the operator of this server.
        </p>
      </div>
      {id && (
        <p className="flex items-center gap-1 text-muted text-sm">
          Request ID <code className="font-mono text-foreground">{id}</code>
          <CopyButton text={id} label="Copy request ID" variant="ghost" />
        </p>
      )}
      <Button onClick={retry}>Try again</Button>
    </div>
  );
}
