import type { ReactNode } from "react";
import type { Component, Operation } from "@/lib/openapi/reference.ts";
import { anchorOf } from "./anchor-of.ts";
import { Examples } from "./examples.tsx";
import { FieldsTable } from "./fields-table.tsx";
import { LazyTryIt } from "./lazy-try-it.tsx";
import { Prose } from "./prose.tsx";
import { SectionHeading } from "./section-heading.tsx";
import { StreamGuide } from "./stream-guide.tsx";

/** One operation: what it does, examples, a form to try it, and its fields. */
export function OperationSection({ operation, publicUrl }: { operation: Operation; publicUrl: string }) {
  const anchor = anchorOf(operation);
  return (
    <section aria-labelledby={anchor} className="grid gap-6">
      <div className="grid gap-2">
        <SectionHeading id={anchor}>{operation.summary}</SectionHeading>
        <p className="break-all font-mono text-sm">
          <strong>{operation.method}</strong> {operation.path}
        </p>
        <p className="max-w-prose text-muted">
          <Prose text={operation.description} />
        </p>
      </div>
      <Examples operation={operation} publicUrl={publicUrl} />
      {isTryable(operation) && (
        <LazyTryIt
          method={operation.method}
          path={operation.path}
          body={bodyToTry(operation.requestExample)}
          changes={changesKnowledge(operation)}
        />
      )}
      {operation.streamExample && (
        <Folded title="Stream">
          <StreamGuide example={operation.streamExample} publicUrl={publicUrl} />
        </Folded>
      )}
      {operation.parameters.length > 0 && (
        <Folded title="Parameters">
          <DescriptionList
            rows={operation.parameters.map(({ name, in: place, type, description }) => ({
              name,
              description: [`${type}, in the ${place}.`, description].join(" ").trim(),
            }))}
          />
        </Folded>
      )}
      {operation.request.length > 0 && (
        <Folded title="Request body">
          <Components components={operation.request} input />
        </Folded>
      )}
      {operation.response.length > 0 && (
        <Folded title="Response 200">
          <Components components={operation.response} />
        </Folded>
      )}
      <Folded title="Response headers">
        <DescriptionList
          rows={operation.headers.map(({ name, description }) => ({ name, description: description || "`no-store`" }))}
        />
      </Folded>
    </section>
  );
}

/** A part of a section that readers open, so that the page stays short. A link to an anchor in it opens it. */
function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="rounded-md border border-border px-4 py-3">
      <summary className="cursor-pointer font-medium">{title}</summary>
      <div className="grid gap-6 pt-4">{children}</div>
    </details>
  );
}

function DescriptionList({ rows }: { rows: { name: string; description: string }[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
      {rows.map(({ name, description }) => (
        <div key={name} className="contents">
          <dt className="font-mono">{name}</dt>
          <dd className="text-muted">
            <Prose text={description} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Components({ components, input }: { components: Component[]; input?: boolean }) {
  return components.map((component) => (
    <div key={component.name} className="grid gap-2">
      <h3 id={component.name} className="scroll-mt-6 font-mono text-sm">
        {component.name}
      </h3>
      <FieldsTable component={component} input={input} />
    </div>
  ));
}

/** The example without its filters and its threshold, which the reader's own sources might not pass. */
function bodyToTry(example: object | null): string | null {
  if (example === null) return null;
  const fields = Object.entries(example).filter(([name]) => name !== "filters" && name !== "scoreThreshold");
  return JSON.stringify(Object.fromEntries(fields), null, 2);
}

/** Whether the request has no body or a JSON body, which a form can hold. */
function isTryable({ method, requestExample, path }: Operation): boolean {
  const isRead = method === "GET" || method === "DELETE";
  return requestExample !== null || isRead || path.endsWith("/restore") || path.endsWith("/reindex");
}

/** Whether the request changes something. Searches and comparisons are sent as POST too. */
function changesKnowledge({ method, path }: Operation): boolean {
  return method !== "GET" && !/\/(?:retrieve|retrieval|search|diff|status)$/.test(path);
}
