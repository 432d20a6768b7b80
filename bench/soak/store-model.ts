import { isDeepStrictEqual } from "node:util";
import type { KeyPolicy } from "../../lib/db/stored-json.ts";
import { VERSIONS_RESTORABLE } from "../../lib/knowledge/values.ts";
import { type Body, questionOf, type Reading, titleOf } from "./store-texts.ts";

export interface Labels {
  audience: string[];
  contentCategory: string;
  path: string[];
  metadata: { owner?: string };
}

interface Version {
  number: number;
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
  /** Versions that were replaced, the last one first. */
  replaced: Version[];
}

/** The expected knowledge of a company, in memory, without blocks, pointers or jobs. */
export interface CompanyModel {
  sources: Map<string, Source>;
  /** The embedding model of the served vectors; null before the first chunk. */
  serving: string | null;
  /** True after another model was chosen, until the next job creates its vectors. */
  reEmbeds: boolean;
  /** `ending`: it is cancelled at the end of its period. */
  subscription: "active" | "ending" | "cancelled";
  /** The last change of several sources' labels. */
  relabelled: { id: string; versions: Relabelled[] } | null;
}

/** A version that a change of labels made, and the labels before. */
interface Relabelled {
  name: string;
  version: Version;
  before: Labels;
}

const DEFAULT_LABELS: Labels = {
  audience: ["ai_agent", "copilot"],
  contentCategory: "general",
  path: [],
  metadata: {},
};

export function newCompanyModel(): CompanyModel {
  return { sources: new Map(), serving: null, reEmbeds: false, subscription: "active", relabelled: null };
}

/** Adds or updates a source. @param options.again processes it even if nothing changed */
export function give(
  company: CompanyModel,
  name: string,
  { body, reading, labels }: { body: Body; reading: Reading | null; labels: Partial<Labels> },
  { again }: { again: boolean },
): void {
  const before = company.sources.get(name);
  const complete = { ...DEFAULT_LABELS, ...before?.latest.labels, ...labels };
  const number = (before?.latest.number ?? 0) + 1;
  const title = firstTitle(name, body);
  const version: Version = { number, body, labels: complete, reading, state: "building", title };
  const isSameText = before && !before.deleted && isDeepStrictEqual(before.latest.body, body);
  const isRelabelled = isSameText && !isDeepStrictEqual(before.latest.labels, complete);
  if (!before || before.deleted) {
    company.sources.set(name, { latest: version, served: null, deleted: false, replaced: replacedBy(before) });
  } else if (isRelabelled && before.latest.state === "current" && before.served) {
    // applies immediately, with the same chunks
    const relabelled = { ...before.latest, number, labels: complete };
    const served = { ...before.served, number, labels: complete };
    company.sources.set(name, { ...before, latest: relabelled, served, replaced: replacedBy(before) });
  } else if (!isSameText || isRelabelled || again || before.latest.state === "failed") {
    company.sources.set(name, { ...before, latest: version, replaced: replacedBy(before) });
  }
}

function replacedBy(before: Source | undefined): Version[] {
  if (!before) return [];
  // nobody restores a version that fails
  return before.latest.reading ? [before.latest, ...before.replaced] : before.replaced;
}

/** The replaced versions that can be restored, so their originals are kept. The last one first. */
export function restorable({ replaced, served }: Source): Version[] {
  return replaced.filter(({ number }) => number !== served?.number).slice(0, VERSIONS_RESTORABLE);
}

/** Changes the labels of all sources together, so that it can be undone. */
export function relabelAll(company: CompanyModel, id: string, labels: Partial<Labels>): void {
  const versions: Relabelled[] = [];
  for (const [name, { latest, deleted }] of company.sources) {
    if (deleted) continue;
    give(company, name, { ...latest, labels }, { again: false });
    const version = company.sources.get(name)?.latest;
    const before = latest.labels;
    if (version && !isDeepStrictEqual(version.labels, before)) versions.push({ name, version, before });
  }
  company.relabelled = { id, versions };
}

/** Gives the sources that have no newer version the labels before the last change of several sources' labels. */
export function undoRelabel(company: CompanyModel): void {
  for (const { name, version, before } of company.relabelled?.versions ?? []) {
    const source = company.sources.get(name);
    if (source?.latest === version && !source.deleted) {
      give(company, name, { ...version, labels: before }, { again: false });
    }
  }
}

/** The labels that a source gets when a key with this policy writes it; null when the key may not write it. */
export function boundLabels(
  before: Source | undefined,
  labels: Partial<Labels>,
  policy: KeyPolicy,
): Partial<Labels> | null {
  const { audience, contentCategory: category, path } = labels;
  const isAllowed =
    (!before || passes(before.latest, policy)) &&
    (!policy.audience ||
      !audience ||
      (audience.length > 0 && audience.every((each) => policy.audience?.includes(each)))) &&
    (!policy.contentCategory || category === undefined || policy.contentCategory.includes(category)) &&
    (!policy.path || !path || policy.path.every((segment, depth) => path[depth] === segment));
  if (!isAllowed) return null;
  if (before) return labels;
  return {
    ...(policy.audience && { audience: policy.audience }),
    ...(policy.contentCategory?.[0] !== undefined && { contentCategory: policy.contentCategory[0] }),
    ...(policy.path && { path: policy.path }),
    ...labels,
  };
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
