"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { CodeBlock } from "@/components/code-block.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { RadioCard, RadioGroup } from "@/components/ui/radio-group.tsx";
import { useLeaveGuard } from "@/components/use-leave-guard.ts";
import { CONNECTIONS, type Connection } from "@/lib/connect/connections.ts";
import { type ChosenKey, type KeyOption, KeyStep } from "./key-step.tsx";
import { WatchStep } from "./watch-step.tsx";

interface ConnectGuideProps {
  keys: KeyOption[];
  publicUrl: string;
}

/** The placeholder in a snippet for a key whose secret is unknown. */
const PLACEHOLDER = "YOUR_API_KEY";

export function ConnectGuide({ keys, publicUrl }: ConnectGuideProps) {
  const [id, setId] = useQueryState("to", parseAsString);
  const connection = CONNECTIONS.find((each) => each.id === id);
  // kept for all connections: a new key is shown only here, and must outlast the choice of another connection
  const [chosenKeys, setChosenKeys] = useState<Partial<Record<string, ChosenKey | null>>>({});
  // not by a refresh: if the URL changes meanwhile, the browser can reload the page and lose the new key
  const created = Object.values(chosenKeys)
    .filter((key) => key != null)
    .filter(({ token }) => token !== null);
  const known = [...keys.filter(({ id }) => created.every((key) => key.id !== id)), ...created];
  useLeaveGuard(created.length > 0);
  return (
    <div className="grid gap-6">
      <Card>
        <CardHeader title="1. What do you want to connect?" />
        <CardBody>
          <RadioGroup
            value={connection?.id ?? ""}
            onValueChange={(chosen) => void setId(chosen)}
            aria-label="What do you want to connect?"
            className="sm:grid-cols-2 xl:grid-cols-3"
          >
            {CONNECTIONS.map(({ id: value, name, summary }) => (
              <RadioCard key={value} value={value} label={name} description={summary} />
            ))}
          </RadioGroup>
        </CardBody>
      </Card>
      {connection && (
        <Steps
          key={connection.id}
          connection={connection}
          keys={known}
          publicUrl={publicUrl}
          chosen={chosenKeys[connection.id] ?? null}
          onChoose={(key) => setChosenKeys((before) => ({ ...before, [connection.id]: key }))}
        />
      )}
    </div>
  );
}

interface StepsProps extends ConnectGuideProps {
  connection: Connection;
  chosen: ChosenKey | null;
  onChoose: (key: ChosenKey | null) => void;
}

function Steps({ connection, keys, publicUrl, chosen, onChoose }: StepsProps) {
  const snippets = connection.snippets({ url: publicUrl, key: chosen?.token ?? PLACEHOLDER });
  return (
    <>
      <KeyStep connection={connection} keys={keys} chosen={chosen} onChoose={onChoose} />
      <Card>
        <CardHeader
          title="3. Copy"
          description={
            chosen?.token
              ? "Your key is filled in. Copy it now: Ragstone cannot show it again."
              : `Replace ${PLACEHOLDER} with your key, or create one above.`
          }
        />
        <CardBody className="grid gap-4">
          {snippets.map(({ title, code }) => (
            <section key={title} className="grid min-w-0 gap-1.5">
              <h3 className="font-medium text-sm">{title}</h3>
              <CodeBlock code={code} copyLabel={`Copy: ${title}`} wrap />
            </section>
          ))}
        </CardBody>
      </Card>
      <WatchStep apiKey={chosen} name={connection.name} />
    </>
  );
}
