import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { BackLink } from "@/components/back-link.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { TextDiff } from "@/components/text-diff.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { AppError } from "@/lib/errors.ts";
import { comparableText, getVersion } from "@/lib/knowledge/intake/edit-content.ts";
import { diffTexts } from "@/lib/knowledge/text-diff.ts";
import { authorWords, STATE_WORDS } from "../../version-words.ts";
import { RestoreVersion } from "./restore-version.tsx";

interface VersionPageProps {
  params: Promise<{ id: string; number: string }>;
}

const versionParams = z.object({ id: z.uuid(), number: z.coerce.number().int().min(1).max(1_000_000_000) });

export async function generateMetadata({ params }: VersionPageProps): Promise<Metadata> {
  return { title: `Version ${(await params).number}` };
}

/** What changed between a version and the newest one, or for the newest, its predecessor. */
export default async function VersionPage({ params }: VersionPageProps) {
  const { scope, actor, role } = await requireMember();
  const wanted = versionParams.safeParse(await params);
  if (!wanted.success) notFound();
  const { id, number } = wanted.data;
  const { version, other, isNewest } = await getVersion(scope, actor, id, number).catch((error: unknown) => {
    if (error instanceof AppError && error.error === "NotFound") notFound();
    throw error;
  });
  const [before, after] = isNewest ? [other, version] : [version, other];
  const author = authorWords(version);
  const canRestore = role === "admin" && !isNewest && !version.emptiedAt;
  return (
    <>
      <div className="grid gap-2">
        <BackLink href={`/knowledge/${id}`}>{version.title}</BackLink>
        <PageHeader
          title={`Version ${number}`}
          description={
            <>
              {STATE_WORDS[version.state]} · {author && `${author} · `}
              <AbsoluteTime date={version.createdAt} time />
            </>
          }
          actions={canRestore && !version.deletedAt && <RestoreVersion id={id} number={number} />}
        />
      </div>
      {canRestore && version.deletedAt && (
        <p className="rounded-lg border border-border bg-subtle px-5 py-3">
          This source is deleted. Restore the source first, then restore this version.
        </p>
      )}
      <Card>
        <CardHeader
          title={after && before ? `Changes from version ${before.number} to ${after.number}` : "Text"}
          description="Labels are not compared."
        />
        <CardBody className="pt-3">
          <Changes before={before} after={after} />
        </CardBody>
      </Card>
    </>
  );
}

type Compared = Awaited<ReturnType<typeof getVersion>>["version"];

function Changes({ before, after }: { before: Compared | null; after: Compared | null }) {
  if (before?.emptiedAt || after?.emptiedAt) return <Note>The content of one version is no longer stored.</Note>;
  const [old, fresh] = [before && comparableText(before), after && comparableText(after)];
  if (old === null || fresh === null)
    return <Note>These versions are files, so their texts are not compared here.</Note>;
  const parts = diffTexts(old, fresh);
  if (parts.every(({ kind }) => kind === "same")) return <Note>The text is the same.</Note>;
  return <TextDiff parts={parts} />;
}

function Note({ children }: { children: string }) {
  return <p className="text-muted">{children}</p>;
}
