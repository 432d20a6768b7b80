"use client";

import { useRef } from "react";
import { CodeBlock } from "@/components/code-block.tsx";
import { CopyButton } from "@/components/copy-button.tsx";
import { Button } from "@/components/ui/button.tsx";
import { DialogBody, DialogFooter } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useLeaveGuard } from "@/components/use-leave-guard.ts";
import type { CreatedKey } from "@/lib/api-keys/service.ts";
import { TestKey } from "./test-key.tsx";

interface RevealKeyProps {
  created: Pick<CreatedKey, "name" | "token" | "scopes">;
  publicUrl: string;
  onSaved: () => void;
}

/** Shows a new key's token, once, inside a locked dialog. */
export function RevealKey({ created: { name, token, scopes }, publicUrl, onSaved }: RevealKeyProps) {
  const shown = useRef<HTMLInputElement>(null);
  useLeaveGuard();
  return (
    <>
      <DialogBody>
        <Field
          label={`Key “${name}”`}
          hint="Ragstone keeps only a hash of the key and cannot show it again. Store it where your system keeps its secrets, never in a web page."
        >
          {(control) => (
            <div className="flex gap-2 max-sm:flex-col">
              <Input
                {...control}
                ref={shown}
                readOnly
                autoFocus
                autoComplete="off"
                spellCheck={false}
                value={token}
                className="font-mono text-sm"
                onFocus={(event) => event.target.select()}
              />
              <CopyButton text={token} label="Copy key" labelled shownIn={shown} className="max-sm:w-full" />
            </div>
          )}
        </Field>
        {scopes.includes("retrieve") && <TestKey token={token} />}
        <section aria-labelledby="reveal-curl" className="grid gap-1.5">
          <h3 id="reveal-curl" className="font-medium text-sm">
            Example request
          </h3>
          <CodeBlock
            code={scopes.includes("retrieve") ? askCommand(publicUrl, token) : addCommand(publicUrl, token)}
            copyLabel="Copy the command"
            wrap
          />
        </section>
      </DialogBody>
      <DialogFooter>
        <span className="mr-auto text-muted text-sm">Use this button to close the dialog.</span>
        <Button onClick={onSaved}>I saved the key</Button>
      </DialogFooter>
    </>
  );
}

function askCommand(publicUrl: string, token: string): string {
  return [
    `curl ${publicUrl}/v1/api/rag/retrieve`,
    `  -H "Authorization: Bearer ${token}"`,
    `  -H "Content-Type: application/json"`,
    `  -d '{"queryText": "How do I cancel my contract?"}'`,
  ].join(" \\\n");
}

function addCommand(publicUrl: string, token: string): string {
  return [
    `curl -X PUT ${publicUrl}/v1/api/sources`,
    `  -H "Authorization: Bearer ${token}"`,
    `  -H "Content-Type: application/json"`,
    `  -d '{"sourceId": "hours", "title": "Opening hours", "content": "We are open from 9 to 17."}'`,
  ].join(" \\\n");
}
