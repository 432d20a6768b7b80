import { isDeepStrictEqual } from "node:util";
import type { KeyPolicy } from "../../lib/db/stored-json.ts";
import { type Body, questionOf, type Reading, titleOf } from "./store-texts.ts";

export interface Labels {
  audience: string[];
  contentCategory: string;
  path: string[];
  metadata: { owner?: string };
}

interface Version {
  body: Body;
  labels: Labels;
  /** The result of reading it; null when it cannot be read. */
  reading: Reading | null;
  state: "building" | "current" | "failed";
  title: string;
}

export interface Source {
  latest: Version;
  /** The version that retrieval returns while the source is not deleted. */
  served: (Version & { reading: Reading }) | null;
  deleted: boolean;
  /** What replaced versions said, the last one first. The newest can be restored, so their originals are kept. */
  replaced: Body[];
}

/** The expected knowledge of a company, in memory, without blocks, pointers or jobs. */
export interface CompanyModel {
  sources: Map<string, Source>;
  /** The embedding model of the served vectors; null before the first chunk. */
  serving: string | null;
  /** True after another model was chosen, until the next job creates its vectors. */
  reEmbeds: boolean;
}

const DEFAULT_LABELS: Labels = {
  audience: ["ai_agent", "copilot"],
  contentCategory: "general",
  path: [],
  metadata: {},
};

export const newCompanyModel = (): CompanyModel => ({ sources: new Map(), serving: null, reEmbeds: false });

/** Adds or updates a source. @param options.again processes it even if nothing changed */
export function give(
  company: CompanyModel,
  name: string,
  { body, reading, labels }: { body: Body; reading: Reading | null; labels: Partial<Labels> },
  { again }: { again: boolean },
): void {
  const before = company.sources.get(name);
  const complete = { ...DEFAULT_LABELS, ...before?.latest.labels, ...labels };
  const version: Version = { body, labels: complete, reading, state: "building", title: firstTitle(name, body) };
  const isSameText = before && !before.deleted && isDeepStrictEqual(before.latest.body, body);
  const isRelabelled = isSameText && !isDeepStrictEqual(before.latest.labels, complete);
  if (!before || before.deleted) {
    company.sources.set(name, { latest: version, served: null, deleted: false, replaced: replacedBy(before) });
  } else if (isRelabelled && before.latest.state === "current" && before.served) {
    // applies immediately, with the same chunks
    const relabelled = { ...before.latest, labels: complete };
    company.sources.set(name, { ...before, latest: relabelled, served: { ...before.served, labels: complete } });
  } else if (!isSameText || isRelabelled || again || before.latest.state === "failed") {
    company.sources.set(name, { ...before, latest: version, replaced: replacedBy(before) });
  }
}

function replacedBy(before: Source | undefined): Body[] {
  if (!before) return [];
  // nobody restores a version that fails
  return before.latest.reading ? [before.latest.body, ...before.replaced] : before.replaced;
}

/** Finishes all waiting jobs. @param model the embedding model in use */
export function finishWork(company: CompanyModel, model: string): void {
  if (company.reEmbeds) company.serving = model;
  company.reEmbeds = false;
  for (const source of company.sources.values()) {
    const { latest } = source;
    if (latest.state !== "building") continue;
    latest.state = latest.reading ? "current" : "failed";
    if (!latest.reading) continue;
    latest.title = latest.reading.title;
    source.served = { ...latest, reading: latest.reading };
    company.serving ??= model;
  }
}

/** Removes deleted sources that can no longer be restored. */
export function forgetDeleted(company: CompanyModel): void {
  for (const [name, { deleted }] of company.sources) if (deleted) company.sources.delete(name);
}

/** A source that retrieval may return, with its effective labels. */
export interface Visible {
  name: string;
  served: NonNullable<Source["served"]>;
  audience: string[];
}

/** The served sources whose served labels and newest labels both pass the policy. */
export function visibleTo(company: CompanyModel, policy: KeyPolicy): Visible[] {
  return [...company.sources].flatMap(([name, { latest, served, deleted }]) => {
    if (!served || deleted || !passes(served, policy) || !passes(latest, policy)) return [];
    const audience = served.labels.audience.filter((each) => latest.labels.audience.includes(each));
    return { name, served, audience };
  });
}

function passes({ body, labels }: Version, { audience, sourceTypes, contentCategory, path }: KeyPolicy): boolean {
  return (
    (!audience || audience.some((each) => labels.audience.includes(each))) &&
    (!sourceTypes || sourceTypes.includes(typeOf(body))) &&
    (!contentCategory || contentCategory.includes(labels.contentCategory)) &&
    (!path || path.every((segment, depth) => labels.path[depth] === segment))
  );
}

export function typeOf({ kind }: Body): "qa" | "document" {
  return kind === "qa" ? "qa" : "document";
}

export function statusOf({ latest, deleted }: Source): "deleted" | "processing" | "failed" | "ready" {
  if (deleted) return "deleted";
  if (latest.state === "building") return "processing";
  return latest.state === "failed" ? "failed" : "ready";
}

function firstTitle(name: string, { kind }: Body): string {
  if (kind === "qa") return questionOf(name);
  return kind === "text" ? titleOf(name) : name;
}
