import type { Metadata } from "next";
import Link from "next/link";
import { connection } from "next/server";
import { Logo } from "@/components/logo.tsx";
import { ThemeToggle } from "@/components/theme-toggle.tsx";
import { env } from "@/lib/env.ts";
import { apiReference } from "@/lib/openapi/reference.ts";
import { ErrorsTable } from "./errors-table.tsx";
import { OperationSection } from "./operation-section.tsx";
import { OwnKeyProvider } from "./own-key.tsx";
import { SectionHeading } from "./section-heading.tsx";
import { SideNav } from "./side-nav.tsx";

export const metadata: Metadata = { title: "API reference" };

export default async function ReferencePage() {
  // render per request: the URL comes from the running server, not from the build
  await connection();
  const { publicUrl } = env();
  const operations = apiReference();
  return (
    <div className="mx-auto max-w-6xl px-4 pt-6 pb-12 sm:px-6">
      <header className="mb-12 flex items-center justify-between gap-4">
        <Link href="/" aria-label="Ragstone: to the dashboard" className="rounded-sm">
          <Logo />
        </Link>
        <ThemeToggle />
      </header>
      <div className="grid grid-cols-1 gap-x-12 gap-y-8 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <div>
          <SideNav operations={operations} />
        </div>
        <main className="grid min-w-0 grid-cols-1 gap-14">
          <header className="grid gap-4">
            <h1 className="font-semibold text-2xl tracking-tight">API reference</h1>
            <p className="max-w-prose text-muted">
              Ask a company's knowledge base a question; get the chunks that answer it and, on request, an answer made
              from them. Keep the knowledge base current from your own systems. Bodies are JSON, except files.
            </p>
            <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[auto_1fr]">
              <dt className="font-medium">Base URL</dt>
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
          </header>
          <OwnKeyProvider>
            {operations.map((operation) => (
              <OperationSection
                key={`${operation.method} ${operation.path}`}
                operation={operation}
                publicUrl={publicUrl}
              />
            ))}
          </OwnKeyProvider>
          <section aria-labelledby="errors" className="grid gap-4">
            <SectionHeading id="errors">Errors</SectionHeading>
            <p className="max-w-prose text-muted">
              All errors have the fields <code className="font-mono">statusCode</code>,{" "}
              <code className="font-mono">error</code>, <code className="font-mono">message</code>, and the extra fields
              in the table. Errors are checked in this order, except that a missing scope (403) is checked before the
              body.
            </p>
            <ErrorsTable />
          </section>
        </main>
      </div>
    </div>
  );
}
