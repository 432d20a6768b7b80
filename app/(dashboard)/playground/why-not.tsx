"use client";

import Link from "next/link";
import { useState } from "react";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useAction } from "@/components/use-action.ts";
import { SOURCE_ID_MAX } from "@/lib/knowledge/values.ts";
import type { Explanation } from "@/lib/retrieval/explain.ts";
import { whyNotAction } from "./actions.ts";
import { toRequest } from "./form.ts";
import type { Asked } from "./run.ts";

/** Explains why a source is missing from the results of a request, using the current knowledge. */
export function WhyNot({ form, keyId }: Asked) {
  const [name, setName] = useState("");
  const [found, setFound] = useState<Explanation | null>(null);
  const { run: send, pending, error } = useAction(whyNotAction, { onError: () => setFound(null) });
  return (
    <section aria-label="Missing source" className="rounded-lg border border-border border-dashed px-4 py-3.5">
      <form
        className="grid gap-3"
        onSubmit={async (event) => {
          event.preventDefault();
          if (!name.trim()) return;
          const data = await send({ request: toRequest(form), keyId, name });
          if (data) setFound(data);
        }}
      >
        <Field label="Did you expect another source?">
          {(control) => (
            <span className="flex gap-2">
              <Input
                {...control}
                value={name}
                maxLength={SOURCE_ID_MAX}
                autoComplete="off"
                placeholder="Title or identifier"
                onChange={({ target }) => setName(target.value)}
              />
              <Button type="submit" variant="secondary" pending={pending}>
                Why not?
              </Button>
            </span>
          )}
        </Field>
        <ErrorMessage>{error}</ErrorMessage>
        <div role="status" className="contents">
          {found && <Finding found={found} threshold={form.scoreThreshold} />}
        </div>
      </form>
    </section>
  );
}

function Finding({ found: { source, verdict, settings }, threshold }: { found: Explanation; threshold: string }) {
  return (
    <p>
      <Link href={`/knowledge/${source.id}`} className="font-medium underline-offset-4 hover:underline">
        {source.title}
      </Link>{" "}
      <span className="break-all font-mono text-muted text-xs">{source.sourceId}</span>
      <br />
      {words(verdict, source.chunks, threshold)}
      {settings.length > 0 && (
        <span className="block text-muted text-sm">By the company's settings: {settings.join(" · ")}.</span>
      )}
    </p>
  );
}

const list = new Intl.ListFormat("en", { type: "conjunction" });
const FILTER_WORDS = {
  audience: "audience",
  sourceTypes: "type",
  contentCategory: "category",
  path: "path",
  metadata: "metadata",
};

function words(verdict: Explanation["verdict"], chunks: number, threshold: string): string {
  switch (verdict.kind) {
    case "deleted":
      return "This source is deleted. For 24 hours, an admin can restore it on its page.";
    case "not_ready":
      return "This source is not searchable: it is still processing, or processing failed. See its page.";
    case "empty":
      return "This source contains no text.";
    case "excluded":
      return `This source is excluded by ${list.format(
        verdict.by.map(({ filter, isOfKey }) => `${isOfKey ? "the key's" : "the filter on"} ${FILTER_WORDS[filter]}`),
      )}.`;
    case "no_candidate":
      return `${chunks === 1 ? "Its only chunk did not rank" : `None of its ${chunks} chunks ranked`} high enough in vector or keyword search. Add the question's words to the text, or add the question as a Q&A.`;
    case "repeats":
      return `This source has the same text as ${verdict.sourceId}, which is shown instead, at rank ${verdict.rank}.`;
    case "below_threshold":
      return `Its best chunk is at rank ${verdict.rank} with a score of ${verdict.score.toFixed(3)}, below the threshold of ${threshold}.`;
    case "behind_limit":
      return `Its best chunk is at rank ${verdict.rank} with a score of ${verdict.score.toFixed(3)}, beyond the limit.`;
    case "returned":
      return `This source is in the results, at rank ${verdict.rank}, with a score of ${verdict.score.toFixed(3)}.`;
  }
}
