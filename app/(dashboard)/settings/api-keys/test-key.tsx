"use client";

import CircleCheck from "lucide-react/icons/circle-check";
import { useState } from "react";
import { z } from "zod";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";

type Outcome = { state: "untried" | "asking" | "works" } | { state: "refused"; reason: string };

const refusal = z.object({ message: z.string() });

/** Calls the API with the key, as a system would. */
export function TestKey({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<Outcome>({ state: "untried" });

  async function test(): Promise<void> {
    setOutcome({ state: "asking" });
    setOutcome(await ask(token));
  }

  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="secondary" size="sm" pending={outcome.state === "asking"} onClick={() => void test()}>
          Test
        </Button>
        <p role="status" className="text-muted text-sm">
          {outcome.state === "works" ? (
            <span className="inline-flex items-center gap-1.5 font-medium text-success">
              <CircleCheck className="size-4" aria-hidden />
              The API accepts this key
            </span>
          ) : (
            "Calls /v1/api/status with this key."
          )}
        </p>
      </div>
      {outcome.state === "refused" && <ErrorMessage>{outcome.reason}</ErrorMessage>}
    </div>
  );
}

async function ask(token: string): Promise<Outcome> {
  try {
    const response = await fetch("/v1/api/status", {
      headers: { Authorization: `Bearer ${token}` },
      cache: "no-store",
      credentials: "omit",
    });
    if (response.ok) return { state: "works" };
    const { message } = refusal.parse(await response.json());
    return { state: "refused", reason: `The API returned ${response.status}: ${message}` };
  } catch {
    // no response, or not one of the API
    return { state: "refused", reason: "The API did not respond. Check your connection and try again." };
  }
}
