"use client";

import { type FormEvent, useState } from "react";
import { CodeBlock } from "@/components/code-block.tsx";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useOwnKey } from "./own-key.tsx";

interface TryItProps {
  method: string;
  path: string;
  /** The body to begin with; null for a request without one. */
  body: string | null;
  /** Whether the request changes the company's knowledge. */
  changes: boolean;
}

interface Outcome {
  status: number;
  milliseconds: number;
  text: string;
}

/** Sends the request to this server with the reader's own key. */
export function TryIt({ method, path, body, changes }: TryItProps) {
  const [token, setToken] = useOwnKey();
  const [address, setAddress] = useState(path);
  const [sentBody, setSentBody] = useState(body ?? "");
  const [outcome, setOutcome] = useState<Outcome | "sending" | "unreachable" | null>(null);

  async function run(event: FormEvent): Promise<void> {
    event.preventDefault();
    setOutcome("sending");
    setOutcome(await send({ method, address, token, body: body === null ? null : sentBody }));
  }

  return (
    <form onSubmit={(event) => void run(event)} className="grid gap-4 pt-4">
      <Field
        label="Your API key"
        hint="Your key stays on this page only. It is gone when you leave or reload the page."
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="off"
            className="font-mono"
            value={token}
            onChange={({ target }) => setToken(target.value)}
          />
        )}
      </Field>
      <Field label="URL" hint={path.includes("{") ? "Replace the names in braces." : undefined}>
        {(control) => (
          <Input
            {...control}
            className="font-mono"
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
        )}
      </Field>
      {body !== null && (
        <Field label="Body">
          {(control) => (
            <Textarea
              {...control}
              spellCheck={false}
              className="max-h-80 font-mono text-sm"
              value={sentBody}
              onChange={({ target }) => setSentBody(target.value)}
            />
          )}
        </Field>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={token.trim() === ""} pending={outcome === "sending"}>
          Send request
        </Button>
        {changes && <p className="text-sm text-warning">This request changes the company's knowledge.</p>}
      </div>
      <div role="status" className="grid gap-2">
        {outcome === "unreachable" && (
          <ErrorMessage>The API did not respond. Check your connection and try again.</ErrorMessage>
        )}
        {outcome !== null && typeof outcome === "object" && (
          <>
            <p className="tabular text-sm">
              Status {outcome.status}, {outcome.milliseconds} ms
            </p>
            <CodeBlock code={outcome.text} copyLabel="Copy the response" className="max-h-96 overflow-y-auto" />
          </>
        )}
      </div>
    </form>
  );
}

interface Call {
  method: string;
  address: string;
  token: string;
  body: string | null;
}

async function send({ method, address, token, body }: Call): Promise<Outcome | "unreachable"> {
  const started = performance.now();
  try {
    // only this server may get the key
    const { pathname, search } = new URL(address, "http://here.invalid");
    const response = await fetch(pathname + search, {
      method,
      headers: {
        Authorization: `Bearer ${token.trim()}`,
        ...(body !== null && { "Content-Type": "application/json" }),
      },
      body,
      cache: "no-store",
      credentials: "omit",
    });
    const text = indented(await response.text());
    return { status: response.status, milliseconds: Math.round(performance.now() - started), text };
  } catch {
    return "unreachable";
  }
}

/** JSON with indentation; any other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text || "(no body)";
  }
}
