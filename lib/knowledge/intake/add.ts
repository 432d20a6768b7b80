import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { type Actor, requireAdmin } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import type { GivenLabels } from "../../label-changes.ts";
import { log } from "../../log.ts";
import { type Content, objectStore } from "../../storage/index.ts";
import type { SpooledFile } from "../../storage/spool.ts";
import { sha256 } from "../content-hash.ts";
import { deleteUnusedOriginals } from "../unused-originals.ts";
import { type Accepted, type AcceptOptions, acceptSources } from "./accept.ts";
import type { Offer } from "./plan-acceptance.ts";
import type { SourceInput } from "./read-bulk.ts";

/** What a caller may say about a source besides its text; what is absent or null stays as it is. */
type Labels = { [Label in keyof GivenLabels]?: GivenLabels[Label] | undefined };

/** A file as it was given; `sourceId` is its path below the folder, or its name. */
export type GivenFile = Labels & { sourceId: string } & ({ bytes: Uint8Array } | { spooled: SpooledFile });

interface Original {
  content: Content;
  byteLength: number;
  sha256: string;
}

/**
 * Keeps the original, then takes the file in; reading it is the worker's.
 * @throws {AppError} InsufficientStorage when the disk is full; nothing is kept then
 */
export async function addFiles(
  scope: TenantScope,
  actor: Actor,
  files: GivenFile[],
  options?: AcceptOptions,
): Promise<Accepted[]> {
  requireAdmin(scope, actor);
  const offers: Offer[] = [];
  const originals = new Map<string, Content>();
  try {
    for (const file of files) {
      const { content, byteLength: bytes, sha256 } = originalOf(file);
      // named by its content, so that a second try writes the same file again
      const storageKey = `${scope.companyId}/${sha256}`;
      originals.set(storageKey, content);
      await objectStore().put(storageKey, content);
      offers.push({
        ...labelled(file),
        sourceId: file.sourceId,
        sourceType: "document",
        title: null,
        body: { kind: "file", storageKey, fileName: basename(file.sourceId), bytes, sha256 },
      });
    }
    const accepted = await acceptSources(scope, actor, offers, options);
    for (const [storageKey, content] of originals) await ensureStored(storageKey, content);
    return accepted;
  } catch (error) {
    await scope
      .transaction((tx) => deleteUnusedOriginals(tx, scope.companyId, [...originals.keys()]))
      .catch((left: unknown) => log().warn({ err: left }, "originals of a refused upload could not be deleted"));
    throw error;
  }
}

function originalOf(file: GivenFile): Original {
  if ("spooled" in file) return { content: file.spooled, ...file.spooled };
  return { content: file.bytes, byteLength: file.bytes.byteLength, sha256: sha256(file.bytes) };
}

/** A purge of the last other version with this content may have come between; from now on it knows of this one. */
async function ensureStored(storageKey: string, content: Content): Promise<void> {
  if (!(await objectStore().has(storageKey))) await objectStore().put(storageKey, content);
}

/** Takes in documents given as text, and questions with their answers. */
export async function addSources(
  scope: TenantScope,
  actor: Actor,
  inputs: SourceInput[],
  options?: AcceptOptions,
): Promise<Accepted[]> {
  return acceptSources(scope, actor, inputs.map(toOffer), options);
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

function labelled({ audience, contentCategory, path, metadata }: Labels): GivenLabels {
  return {
    audience: audience ?? null,
    contentCategory: contentCategory ?? null,
    path: path ?? null,
    metadata: metadata ?? null,
  };
}
