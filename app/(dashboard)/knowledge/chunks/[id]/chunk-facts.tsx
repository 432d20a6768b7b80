import Link from "next/link";
import { CopyButton } from "@/components/copy-button.tsx";
import { Fact } from "@/components/fact.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import type { ChunkDetails } from "@/lib/knowledge/browse/chunk-page.ts";
import { joinPath } from "@/lib/label-text.ts";
import { STATE_WORDS } from "../../[id]/version-words.ts";
import { TYPE_WORDS } from "../../source-words.ts";

/** Where a chunk is, and the labels by which requests find it. */
export function ChunkFacts({ chunk: { id, source, place } }: { chunk: ChunkDetails }) {
  return (
    <Card>
      <CardHeader title="About this chunk" />
      <CardBody>
        <dl className="grid gap-3">
          <Fact name="Source">
            <Link href={`/knowledge/${source.id}`} className="wrap-anywhere underline underline-offset-4">
              {source.title}
            </Link>
          </Fact>
          <Fact name="Type">{TYPE_WORDS[source.type]}</Fact>
          {place?.page != null && <Fact name="Page">{place.page}</Fact>}
          {place && <Version id={source.id} version={place.version} />}
          {place && <Labels version={place.version} />}
          <Fact name="Chunk ID">
            <span className="flex items-center gap-1">
              <span className="truncate font-mono text-xs" title={id}>
                {id}
              </span>
              <CopyButton text={id} label="Copy the chunk's ID" />
            </span>
          </Fact>
        </dl>
      </CardBody>
    </Card>
  );
}

type Version = NonNullable<ChunkDetails["place"]>["version"];

function Version({ id, version }: { id: string; version: Version }) {
  return (
    <Fact name="Version">
      <Link href={`/knowledge/${id}/versions/${version.number}`} className="underline underline-offset-4">
        {version.number}
      </Link>{" "}
      · {STATE_WORDS[version.state]} · <AbsoluteTime date={version.createdAt} />
    </Fact>
  );
}

function Labels({ version: { audience, contentCategory, path } }: { version: Version }) {
  return (
    <>
      <Fact name="Audience">
        <span className="flex flex-wrap gap-1">
          {audience.length === 0 && <span className="text-muted">None</span>}
          {audience.map((each) => (
            <Badge key={each}>{each}</Badge>
          ))}
        </span>
      </Fact>
      <Fact name="Category">{contentCategory}</Fact>
      {path.length > 0 && <Fact name="Path">{joinPath(path)}</Fact>}
    </>
  );
}
