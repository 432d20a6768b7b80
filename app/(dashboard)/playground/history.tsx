"use client";

import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import type { RequestForm } from "./request.ts";

const KEY = "ragstone-playground-history";
const KEPT = 10;

type PastRun = Omit<RequestForm, "context">;

/** The last runs in this browser; the context fields are data about people and are not among them. */
export function useHistory() {
  const [past, setPast] = useState<PastRun[]>([]);
  useEffect(() => setPast(read()), []);
  function remember({ context: _, ...run }: RequestForm): void {
    const next = [run, ...past.filter(({ queryText }) => queryText !== run.queryText)].slice(0, KEPT);
    setPast(next);
    sessionStorage.setItem(KEY, JSON.stringify(next));
  }
  return { past, remember };
}

export function History({ past, onPick }: { past: PastRun[]; onPick: (run: PastRun) => void }) {
  if (past.length === 0) return null;
  return (
    <section aria-label="Earlier runs" className="grid gap-1">
      <h2 className="font-medium text-muted text-sm">Earlier</h2>
      <ul className="grid">
        {past.map((run) => (
          <li key={run.queryText}>
            <Button variant="ghost" className="w-full justify-start truncate" onClick={() => onPick(run)}>
              <span className="truncate">{run.queryText}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function read(): PastRun[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}
