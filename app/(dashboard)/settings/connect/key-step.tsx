"use client";

import CircleCheck from "lucide-react/icons/circle-check";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { OptionSelect } from "@/components/ui/option-select.tsx";
import { useAction } from "@/components/use-action.ts";
import { describeScopes } from "@/lib/api-keys/describe-scopes.ts";
import type { ApiKey } from "@/lib/api-keys/service.ts";
import { type Connection, canUseConnection } from "@/lib/connect/connections.ts";
import { createKeyAction } from "../api-keys/actions.ts";

export type KeyOption = Pick<ApiKey, "id" | "name" | "scopes"> & { last4: string };

export interface ChosenKey extends KeyOption {
  /** Null for an existing key, whose secret only its owner knows. */
  token: string | null;
  /** Null for an existing key. */
  createdAt: Date | null;
}

interface KeyStepProps {
  connection: Connection;
  keys: KeyOption[];
  chosen: ChosenKey | null;
  onChoose: (key: ChosenKey | null) => void;
}

/** Creates a key with only the required scopes, or uses an existing key that has them. */
export function KeyStep({ connection, keys, chosen, onChoose }: KeyStepProps) {
  const { name, scopes } = connection;
  const { run, pending, error } = useAction(createKeyAction, {
    onSuccess: ({ token, ...key }) => onChoose({ ...key, last4: token.slice(-4), token }),
  });
  const fitting = keys.filter((key) => canUseConnection(key, connection));
  return (
    <Card>
      <CardHeader title="2. Give it a key" description={`Permissions: ${describeScopes(scopes)}.`} />
      <CardBody className="grid gap-4">
        {chosen?.token ? (
          <p role="status" className="flex items-center gap-2 font-medium text-success">
            <CircleCheck className="size-4" aria-hidden />
            Created the key “{chosen.name}”. It works until you revoke it.
          </p>
        ) : (
          <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
            <Button pending={pending} onClick={() => void run({ name, scopes: [...scopes] })}>
              Create a key for {name}
            </Button>
            {fitting.length > 0 && (
              <Field label="Or use an existing key" className="min-w-56">
                {(control) => (
                  <OptionSelect
                    {...control}
                    options={fitting.map(({ id, name: given, last4 }) => ({
                      value: id,
                      label: `${given} (…${last4})`,
                    }))}
                    none="Choose a key"
                    value={chosen?.id ?? null}
                    onChange={(keyId) => {
                      const key = fitting.find(({ id }) => id === keyId);
                      onChoose(key ? { ...key, token: null, createdAt: null } : null);
                    }}
                  />
                )}
              </Field>
            )}
          </div>
        )}
        {error && <ErrorMessage>{error}</ErrorMessage>}
      </CardBody>
    </Card>
  );
}
