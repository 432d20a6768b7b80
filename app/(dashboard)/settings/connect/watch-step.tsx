"use client";

import CircleCheck from "lucide-react/icons/circle-check";
import LoaderCircle from "lucide-react/icons/loader-circle";
import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import type { LatestRequest } from "@/lib/connect/latest-request.ts";
import { watchKeyAction } from "./actions.ts";
import type { ChosenKey } from "./key-step.tsx";

const POLL_MS = 2_000;
/** Polling stops after this time, of which only the part counts in which the page is visible. */
const MINUTES_MAX = 15;
const POLLS_MAX = (MINUTES_MAX * 60_000) / POLL_MS;

/** Shows the first request of the key as it arrives. */
export function WatchStep({ apiKey, name }: { apiKey: ChosenKey | null; name: string }) {
  const { request, isDone, hasStopped, watchAgain } = useLatestRequest(apiKey);
  const status = useRef<HTMLDivElement>(null);
  return (
    <Card>
      <CardHeader title="4. Test it" description={`Send a first request from ${name}. It appears here.`} />
      <CardBody>
        <div role="status" ref={status} tabIndex={-1} className="outline-none">
          {apiKey === null && <p className="text-muted">Choose a key first.</p>}
          {apiKey !== null && !isDone && hasStopped && (
            <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
              This page stopped waiting for a request with “{apiKey.name}” after {MINUTES_MAX} minutes.
              <Button
                size="sm"
                variant="secondary"
                onClick={() => {
                  // the button is removed
                  status.current?.focus();
                  watchAgain();
                }}
              >
                Wait again
              </Button>
            </p>
          )}
          {apiKey !== null && request === null && !hasStopped && (
            <p className="flex items-center gap-2 text-muted">
              <LoaderCircle className="size-4 animate-spin motion-reduce:animate-none" aria-hidden />
              Waiting for a request with “{apiKey.name}”
            </p>
          )}
          {apiKey !== null && isDone && (
            <p className="flex flex-wrap items-center gap-2 font-medium text-success">
              <CircleCheck className="size-4" aria-hidden />
              Connected: a request has arrived
              <Link
                href={`/settings/api-keys/${apiKey.id}`}
                className="font-normal text-accent underline underline-offset-4"
              >
                Show its requests
              </Link>
            </p>
          )}
          {request?.error && <ErrorMessage>A request arrived and was refused: {request.error}</ErrorMessage>}
        </div>
      </CardBody>
    </Card>
  );
}

interface Watched {
  /** The first request of the key since it was chosen, or null. A later request replaces a refused one. */
  request: LatestRequest | null;
  /** Whether the request was answered. */
  isDone: boolean;
  hasStopped: boolean;
  watchAgain: () => void;
}

/** What the first poll found, for the next ones. */
interface WatchStart {
  keyId: string | null;
  since: Date | null;
  served: number | null;
}

function useLatestRequest(apiKey: ChosenKey | null): Watched {
  const companyId = useCompanyId();
  const [seen, setSeen] = useState<{ keyId: string; request: LatestRequest } | null>(null);
  const [stoppedFor, setStoppedFor] = useState<string | null>(null);
  const keyId = apiKey?.id ?? null;
  const hasStopped = stoppedFor === keyId;
  const createdAt = apiKey?.createdAt ?? null;
  const request = seen?.keyId === keyId ? seen.request : null;
  const isDone = request !== null && request.error === null;
  // times of the server: the clock of the browser may differ
  const start = useRef(startOf(keyId, createdAt));

  useEffect(() => {
    if (start.current.keyId !== keyId) start.current = startOf(keyId, createdAt);
    if (keyId === null || isDone || hasStopped) return;
    const from = start.current;
    let polls = 0;
    const poll = async () => {
      if (document.visibilityState !== "visible") return;
      polls += 1;
      if (polls >= POLLS_MAX) setStoppedFor(keyId);
      const result = await watchKeyAction({ keyId, since: from.since, served: from.served }, { companyId }).catch(
        () => null,
      );
      if (!result?.ok) return;
      from.since ??= result.data.since;
      from.served ??= result.data.served;
      if (result.data.request) setSeen({ keyId, request: result.data.request });
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    void poll();
    return () => clearInterval(timer);
  }, [keyId, createdAt, isDone, hasStopped, companyId]);
  return { request, isDone, hasStopped, watchAgain: () => setStoppedFor(null) };
}

function startOf(keyId: string | null, createdAt: Date | null): WatchStart {
  return { keyId, since: createdAt, served: null };
}
