import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { type Actor, requireAdmin } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { type Accepted, acceptSources, type Offer } from "./accept.ts";
import type { SourceInput } from "./bulk.ts";
import { sha256 } from "./content-hash.ts";
import { objectStore } from "./storage/index.ts";

/** What a caller may say about a source besides its text. */
export interface Labels {
  audience?: string[] | null;
  contentCategory?: string | null;
  path?: string[];
  metadata?: Record<string, unknown>;
}

/** A file as it was given; `sourceId` is its path below the folder, or its name. */
export interface GivenFile extends Labels {
  sourceId: string;
  bytes: Uint8Array;
}

/** Keeps the original, then takes the file in; reading it is the worker's. */
export async function addFiles(scope: TenantScope, actor: Actor, files: GivenFile[]): Promise<Accepted[]> {
  requireAdmin(scope, actor);
  const offers: Offer[] = [];
  const originals = new Map<string, Uint8Array>();
  for (const { sourceId, bytes, ...labels } of files) {
    const hash = sha256(bytes);
    // named by its content, so that a second try writes the same file again
    const storageKey = `${scope.companyId}/${hash}`;
    await objectStore().put(storageKey, bytes);
    originals.set(storageKey, bytes);
    offers.push({
      ...labelled(labels),
      sourceId,
      sourceType: "document",
      title: null,
      body: { kind: "file", storageKey, fileName: basename(sourceId), bytes: bytes.byteLength, sha256: hash },
    });
  }
  const accepted = await acceptSources(scope, actor, offers);
  for (const [storageKey, bytes] of originals) await keepStill(storageKey, bytes);
  return accepted;
}

/** A purge of the last other version with these bytes may have come between; from now on it knows of this one. */
async function keepStill(storageKey: string, bytes: Uint8Array): Promise<void> {
  if (!(await objectStore().has(storageKey))) await objectStore().put(storageKey, bytes);
}

/** Takes in documents given as text, and questions with their answers. */
export async function addSources(scope: TenantScope, actor: Actor, inputs: SourceInput[]): Promise<Accepted[]> {
  return acceptSources(scope, actor, inputs.map(toOffer));
}

/** A source as it is taken in; one without an identifier gets a random one. */
export function toOffer(input: SourceInput): Offer {
  const common = { ...labelled(input), sourceId: input.sourceId ?? randomUUID() };
  if (input.sourceType === "document") {
    return { ...common, sourceType: "document", title: input.title, body: { kind: "text", content: input.content } };
  }
  const { question, answer, alternatives = [] } = input;
  return { ...common, sourceType: "qa", title: question, body: { kind: "qa", question, answer, alternatives } };
}

function labelled({ audience, contentCategory, path, metadata }: Labels) {
  return {
    audience: audience ?? null,
    contentCategory: contentCategory ?? null,
    path: path ?? [],
    metadata: metadata ?? {},
  };
}
