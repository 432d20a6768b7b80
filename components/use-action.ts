"use client";

import { unstable_rethrow } from "next/navigation";
import { useCallback, useRef, useState } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import { notify } from "@/components/notify.ts";
import { keepFocus } from "@/components/ui/return-focus.tsx";
import type { Action } from "@/lib/auth/result.ts";
import type { Issue } from "@/lib/errors.ts";

export const UNREACHABLE = "The server did not respond. Check your connection and try again.";

interface UseActionOptions<Input, Data> {
  onSuccess?: (data: Data, input: Input) => void;
  onError?: (error: string, issues: Issue[]) => void;
  /** Shown as a toast on success. */
  success?: string | ((data: Data) => string);
  /** Also shows errors as a toast, for buttons without room for a message. */
  toastError?: boolean;
  /** The control that runs the action may be gone afterwards. Then the focus moves to its row, or to the page's title. */
  removesControl?: boolean;
}

interface ActionState {
  pending: boolean;
  error: string | null;
  issues: Issue[];
}

const IDLE: ActionState = { pending: false, error: null, issues: [] };

/** Runs a server action, one call at a time. `run` resolves to the data, or to undefined on an error. */
export function useAction<Input, Data>(action: Action<Input, Data>, options: UseActionOptions<Input, Data> = {}) {
  const companyId = useCompanyId();
  const [state, setState] = useState(IDLE);
  const running = useRef(false);

  async function run(input: Input): Promise<Data | undefined> {
    if (running.current) return undefined;
    running.current = true;
    if (options.removesControl) keepFocus();
    setState({ ...IDLE, pending: true });
    try {
      const result = await action(input, { companyId });
      if (result.ok) {
        setState(IDLE);
        const { success } = options;
        if (success) notify(typeof success === "function" ? success(result.data) : success);
        options.onSuccess?.(result.data, input);
        return result.data;
      }
      fail(result.error, result.issues);
    } catch (error) {
      unstable_rethrow(error);
      fail(UNREACHABLE, []);
    } finally {
      running.current = false;
    }
    return undefined;
  }

  function fail(error: string, issues: Issue[]): void {
    setState({ pending: false, error, issues });
    if (options.toastError) notify(error, { kind: "error" });
    options.onError?.(error, issues);
  }

  const reset = useCallback(() => setState(IDLE), []);
  return { ...state, run, reset };
}
