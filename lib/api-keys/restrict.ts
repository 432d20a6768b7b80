import { allowsScope } from "../audit/key-scopes.ts";
import type { KeyPolicy } from "../db/stored-json.ts";
import type { Issue } from "../errors.ts";
import type { KeyRow } from "./queries.ts";

/** A key's access and its expiry. */
export type KeyLimits = Pick<KeyRow, "expiresAt" | "rateLimitPerMinute" | "scopes" | "policy">;

interface RestrictOptions {
  /** Requests per minute of a key without a limit of its own; 0 means no limit. */
  defaultPerMinute: number;
}

/** Lists what `after` allows beyond `before`, with one issue for each field; empty when it allows the same or less. */
export function widenings(before: KeyLimits, after: KeyLimits, { defaultPerMinute }: RestrictOptions): Issue[] {
  const perMinute = (limits: KeyLimits) => (limits.rateLimitPerMinute ?? defaultPerMinute) || Number.POSITIVE_INFINITY;
  const added = after.scopes.filter((scope) => !allowsScope(before.scopes, scope));
  const issues = [
    expiryMs(after) > expiryMs(before) && issue("expiresAt", "must not be later than the key's expiry"),
    perMinute(after) > perMinute(before) && issue("rateLimitPerMinute", "must not be above the key's limit"),
    added.length > 0 && issue("scopes", `must not add ${added.join(", ")}`),
    ...POLICY_PARTS.map(
      (part) =>
        !policyWithin[part](before.policy, after.policy) &&
        issue(`policy.${part}`, "must not allow more than the key's policy"),
    ),
  ];
  return issues.filter((found) => found !== false);
}

const NEW_KEY_ADVICE = "A key can only lose access. For more access, create a new key.";

function issue(path: string, message: string): Issue {
  return { path, message: `${message}. ${NEW_KEY_ADVICE}` };
}

function expiryMs({ expiresAt }: KeyLimits): number {
  return expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** Whether a part of the second policy allows at most what the first one does. */
const policyWithin: Record<keyof KeyPolicy, (before: KeyPolicy, after: KeyPolicy) => boolean> = {
  audience: (before, after) => isSubset(after.audience, before.audience),
  sourceTypes: (before, after) => isSubset(after.sourceTypes, before.sourceTypes),
  contentCategory: (before, after) => isSubset(after.contentCategory, before.contentCategory),
  path: ({ path: before }, { path: after }) => {
    if (before === undefined || after?.length === 0) return true;
    return before.length > 0 && before.every((segment, depth) => after?.[depth] === segment);
  },
  limit: (before, after) => (after.limit ?? Number.POSITIVE_INFINITY) <= (before.limit ?? Number.POSITIVE_INFINITY),
  answers: (before, after) => before.answers !== false || after.answers === false,
};

const POLICY_PARTS = ["audience", "sourceTypes", "contentCategory", "path", "limit", "answers"] as const;

/** A missing list allows everything, an empty one nothing. */
function isSubset(after: string[] | undefined, before: string[] | undefined): boolean {
  return before === undefined || (after?.every((name) => before.includes(name)) ?? false);
}

/** The changes for the audit log: each changed field as `{ from, to }`. */
export function limitChanges(before: KeyLimits, after: KeyLimits): Record<string, unknown> {
  const policy = POLICY_PARTS.map((part) => [part, before.policy[part] ?? "any", after.policy[part] ?? "any"] as const);
  const fields = FIELDS.map((field) => [field, before[field], after[field]] as const);
  const changed = [...fields, ...policy].filter(([, from, to]) => JSON.stringify(from) !== JSON.stringify(to));
  return Object.fromEntries(changed.map(([name, from, to]) => [name, { from, to }]));
}

const FIELDS = ["expiresAt", "rateLimitPerMinute", "scopes"] as const;
