import type { KeyPolicy } from "../../db/stored-json.ts";
import { AppError, type Issue } from "../../errors.ts";
import type { LatestVersion } from "../queries.ts";
import type { SubmittedSource } from "./plan-acceptance.ts";

type Labelled = Pick<SubmittedSource, "sourceType" | "audience" | "contentCategory" | "path">;
type Known = Pick<LatestVersion, "isVisible">;

/**
 * Binds the labels of a source to the policy of the key that writes it. A label that a new source does not have takes
 * the policy's value if there is one only; an existing source keeps its own.
 * @throws {AppError} Forbidden, naming the label that the policy does not allow
 */
export function bindLabels<Source extends Labelled>(
  policy: KeyPolicy,
  source: Source,
  before: Known | undefined,
): Source {
  const issue = policyIssue(policy, source, before);
  if (issue) throw new AppError("Forbidden", `${issue.path}: ${issue.message}`);
  if (before) return source;
  return {
    ...source,
    audience: source.audience ?? policy.audience ?? null,
    contentCategory: source.contentCategory ?? policy.contentCategory?.[0] ?? null,
    path: source.path ?? policy.path ?? null,
  };
}

/** The label with which a key may not write a source; null when the policy allows all labels. */
export function policyIssue(policy: KeyPolicy, source: Labelled, before: Known | undefined): Issue | null {
  if (before && !before.isVisible) return refused("sourceId", "belongs to a source that this API key cannot see");
  const { sourceType, audience, contentCategory, path } = source;
  if (policy.sourceTypes && !policy.sourceTypes.includes(sourceType)) return outside("sourceType", sourceType);
  if (policy.audience && audience) {
    const other = audience.find((each) => !policy.audience?.includes(each));
    if (other !== undefined) return outside("audience", other);
    if (audience.length === 0) return refused("audience", "must not be empty with this API key");
  }
  if (policy.contentCategory && contentCategory !== null && !policy.contentCategory.includes(contentCategory)) {
    return outside("contentCategory", contentCategory);
  }
  if (policy.path && path && !isBelow(path, policy.path)) return outside("path", path.join(" / "));
  return before ? null : missingLabel(policy, source);
}

/** An empty prefix in a policy allows nothing. */
function isBelow(path: string[], prefix: string[]): boolean {
  return prefix.length > 0 && prefix.every((segment, depth) => segment === path[depth]);
}

function missingLabel(policy: KeyPolicy, { audience, contentCategory, path }: Labelled): Issue | null {
  if (!audience && policy.audience && policy.audience.length !== 1) return required("audience");
  if (contentCategory === null && policy.contentCategory && policy.contentCategory.length !== 1) {
    return required("contentCategory");
  }
  return !path && policy.path?.length === 0 ? required("path") : null;
}

function outside(path: string, value: string): Issue {
  return refused(path, `"${value}" is outside the policy of this API key`);
}

function required(path: string): Issue {
  return refused(path, "is required, because the policy of this API key does not give one value");
}

function refused(path: string, message: string): Issue {
  return { path, message };
}
