import type { Metadata } from "next";
import Link from "next/link";
import { connection } from "next/server";
import { Logo } from "@/components/logo.tsx";
import { ThemeToggle } from "@/components/theme-toggle.tsx";
import { env } from "@/lib/env.ts";
import { apiReference, type Component, type Operation } from "@/lib/openapi/reference.ts";
import { ErrorsTable } from "./errors-table.tsx";
import { Examples } from "./examples.tsx";
import { FieldsTable } from "./fields-table.tsx";
import { Prose } from "./prose.tsx";
import { StreamGuide } from "./stream-guide.tsx";

export const metadata: Metadata = { title: "API reference" };

export default async function ReferencePage() {
  // render per request: the URL comes from the running server, not from the build
  await connection();
  const { publicUrl } = env();
  const operations = apiReference(publicUrl);
  return (
    <main className="mx-auto grid max-w-4xl grid-cols-1 gap-14 px-4 pt-6 pb-12 sm:px-6">
      <header className="grid gap-4">
        <div className="mb-8 flex items-center justify-between gap-4">
          <Link href="/" aria-label="Ragstone: to the dashboard" className="rounded-sm">
            <Logo />
          </Link>
          <ThemeToggle />
        </div>
        <h1 className="font-semibold text-2xl tracking-tight">API reference</h1>
        <p className="max-w-prose text-muted">
          Ask a company's knowledge base a question; get the chunks that answer it and, on request, an answer made from
          them. Keep the knowledge base current from your own systems. Bodies are JSON, except files.
        </p>
        <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[auto_1fr]">
          <dt className="font-medium">Base address</dt>
          <dd className="break-all font-mono">{publicUrl}/v1</dd>
          <dt className="font-medium">Authentication</dt>
          <dd>
            <code className="font-mono">Authorization: Bearer ragstone_live_…</code>, with a key from Settings › API
            Keys
          </dd>
          <dt className="font-medium">For machines</dt>
          <dd>
            <a className="text-accent underline" href="/v1/openapi.json">
              OpenAPI 3.1
            </a>
          </dd>
        </dl>
        <nav aria-label="On this page">
          <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
            {operations.map((operation) => (
              <li key={anchorOf(operation)}>
                <a className="text-accent underline" href={`#${anchorOf(operation)}`}>
                  {operation.summary}
                </a>
              </li>
            ))}
            <li>
              <a className="text-accent underline" href="#errors">
                Errors
              </a>
            </li>
          </ul>
        </nav>
      </header>
      {operations.map((operation) => (
        <OperationSection key={`${operation.method} ${operation.path}`} operation={operation} publicUrl={publicUrl} />
      ))}
      <section aria-labelledby="errors" className="grid gap-4">
        <h2 id="errors" className="font-semibold text-xl tracking-tight">
          Errors
        </h2>
        <p className="max-w-prose text-muted">
          All errors have the fields <code className="font-mono">statusCode</code>,{" "}
          <code className="font-mono">error</code>, <code className="font-mono">message</code>, and the extra fields in
          the table. Errors are checked in this order.
        </p>
        <ErrorsTable />
      </section>
    </main>
  );
}

function OperationSection({ operation, publicUrl }: { operation: Operation; publicUrl: string }) {
  const anchor = anchorOf(operation);
  return (
    <section aria-labelledby={anchor} className="grid gap-6">
      <div className="grid gap-2">
        <h2 id={anchor} className="font-semibold text-xl tracking-tight">
          {operation.summary}
        </h2>
        <p className="break-all font-mono text-sm">
          <strong>{operation.method}</strong> {operation.path}
        </p>
        <p className="max-w-prose text-muted">
          <Prose text={operation.description} />
        </p>
      </div>
      <Examples operation={operation} publicUrl={publicUrl} />
      {operation.streamExample && <StreamGuide example={operation.streamExample} publicUrl={publicUrl} />}
      {operation.parameters.length > 0 && (
        <DescriptionList
          title="Parameters"
          rows={operation.parameters.map(({ name, in: place, type, description }) => ({
            name,
            description: [`${type}, in the ${place}.`, description].join(" ").trim(),
          }))}
        />
      )}
      {operation.request.map((component, place) => (
        <ComponentFields key={component.name} component={component} title={place === 0 ? "Request body" : null} input />
      ))}
      {operation.response.map((component, place) => (
        <ComponentFields key={component.name} component={component} title={place === 0 ? "Response 200" : null} />
      ))}
      <DescriptionList
        title="Response headers"
        rows={operation.headers.map(({ name, description }) => ({ name, description: description || "`no-store`" }))}
      />
    </section>
  );
}

function DescriptionList({ title, rows }: { title: string; rows: { name: string; description: string }[] }) {
  return (
    <div className="grid gap-2">
      <h3 className="font-medium">{title}</h3>
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
    </div>
  );
}

function ComponentFields({ component, title, input }: { component: Component; title: string | null; input?: boolean }) {
  return (
    <div className="grid gap-2">
      <h3 id={component.name} className="scroll-mt-4 font-medium">
        {title ?? <code className="font-mono text-sm">{component.name}</code>}
      </h3>
      <FieldsTable component={component} input={input} />
    </div>
  );
}

function anchorOf({ summary }: Operation): string {
  return summary.toLowerCase().replaceAll(/\W+/g, "-");
}
