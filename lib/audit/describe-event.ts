import { KEY_SCOPE_LABELS, SUBSCRIPTION_STATUS_LABELS } from "../db/column-values.ts";
import { labelChangeWords } from "./label-words.ts";

/** What happened, as a text that follows a name: "Ada created a key". */
const ACTION_TEXTS = {
  "answer.reported": "reported an answer",
  "answer.reopened": "reopened a reported answer",
  "answer.resolved": "resolved a reported answer",
  "api_key.created": "created a key",
  "api_key.renamed": "renamed a key",
  "api_key.restricted": "restricted a key",
  "api_key.revoked": "revoked a key",
  "api_key.rotated": "rotated a key",
  "company.created": "created the company",
  "company.renamed": "renamed the company",
  "company.retrieval_changed": "changed the retrieval settings",
  "company.settings_changed": "changed the company's settings",
  "gap.assigned": "assigned an unanswered question",
  "gap.dismissed": "dismissed an unanswered question",
  "gap.reopened": "reopened an unanswered question",
  "gap.snoozed": "snoozed an unanswered question",
  "invitation.accepted": "accepted an invitation",
  "invitation.created": "invited someone",
  "invitation.withdrawn": "withdrew an invitation",
  "knowledge.added": "added knowledge",
  "knowledge.changed": "changed knowledge",
  "knowledge.reindexed": "re-indexed knowledge",
  "knowledge.relabelled": "changed labels",
  "knowledge.unverified": "withdrew a verification",
  "knowledge.verification_lost": "removed a verification by editing the answer",
  "knowledge.verified": "verified an answer",
  "member.added": "added a member",
  "member.removed": "removed a member",
  "member.renamed": "changed their name",
  "member.reset_link_created": "created a password reset link",
  "member.role_changed": "changed a member's role",
  "source.deleted": "deleted knowledge",
  "source.restored": "restored knowledge",
  "subscription.cancelled": "cancelled the subscription",
  "subscription.plan_changed": "changed the plan",
  "subscription.resumed": "resumed the subscription",
  "subscription.set": "changed the subscription",
  "suggestion.accepted": "accepted a suggestion",
  "suggestion.declined": "declined a suggestion",
  "suggestion.made": "suggested a text",
  "suggestion.withdrawn": "withdrew a suggestion",
  "test_question.added": "added test questions",
  "test_question.changed": "changed a test question",
  "test_question.deleted": "deleted a test question",
} as const;

/** An action, as `subject.verb`. An action without a text does not compile. */
export type AuditAction = keyof typeof ACTION_TEXTS;

const TEXT_BY_ACTION = new Map<string, string>(Object.entries(ACTION_TEXTS));

/** The text of an action; an action of another release is shown by its name. */
export function actionWords(action: string): string {
  return TEXT_BY_ACTION.get(action) ?? action.replaceAll(/[._]/g, " ");
}

const FIELD_LABELS: Record<string, string> = {
  answerLanguage: "answer language",
  answerStyle: "answer style",
  answers: "AI answers",
  calibratesScores: "calibrate scores",
  cancelAtPeriodEnd: "ends after the billing period",
  contentCategory: "category",
  currentPeriodEnd: "until",
  defaultAudience: "default audience",
  expiresAt: "expires",
  hashQueries: "keep hashes of questions",
  keepAnswers: "keep answers",
  periodEnd: "period end",
  queryRetentionDays: "days to keep requests",
  rateLimitPerMinute: "requests per minute",
  refusalText: "refusal text",
  scopes: "permissions",
  scoreThreshold: "score threshold",
  sourceTypes: "types",
  suggestedBy: "suggested by",
  useRerank: "rerank",
  vectorWeight: "search weights",
  verifiedUntil: "valid until",
};
/** Ids are hidden because they tell readers nothing. In older events, the plan is the name of their target. */
const HIDDEN_FIELD = /Id$/;
const STATUS_LABELS = new Map<string, string>(Object.entries(SUBSCRIPTION_STATUS_LABELS));
const SCOPE_LABELS = new Map<string, string>(Object.entries(KEY_SCOPE_LABELS));
/** Entries of a list that an event shows. */
const ENTRIES_SHOWN = 5;

/**
 * Describes the details of an event as `name: value` or `name: before → after`. Empty and unchanged values are left
 * out. Times stay in ISO 8601, for `TextWithTimes`.
 */
export function detailWords({ from, to, plan, labels, moreChanges, ...detail }: Record<string, unknown>): string[] {
  const unnamed = from !== undefined && to !== undefined ? changeWords(from, to) : fieldWords({ from, to });
  const named = fieldWords(typeof plan === "string" ? detail : { plan, ...detail });
  return [...unnamed, ...labelChangeWords({ labels, moreChanges }), ...named];
}

function fieldWords(detail: Record<string, unknown>): string[] {
  return Object.entries(detail).flatMap(([name, value]) => {
    if (HIDDEN_FIELD.test(name)) return [];
    const words = (shown: unknown) => valueWords(name === "scopes" ? scopeNames(shown) : shown);
    const absent = name === "expiresAt" ? "never" : "none";
    const label = FIELD_LABELS[name] ?? name.replaceAll("_", " ");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      if ("from" in value && "to" in value)
        return changeWords(value.from, value.to, { words, absent }).map((change) => `${label}: ${change}`);
      return fieldWords({ ...value });
    }
    const shown = words(value);
    return shown === null ? [] : `${label}: ${shown}`;
  });
}

function changeWords(from: unknown, to: unknown, { words = valueWords, absent = "none" } = {}): string[] {
  const [before, after] = [words(from) ?? absent, words(to) ?? absent];
  return before === after ? [] : [`${before} → ${after}`];
}

function scopeNames(scopes: unknown): unknown {
  return Array.isArray(scopes) ? scopes.map(String).map((scope) => SCOPE_LABELS.get(scope) ?? scope) : scopes;
}

function valueWords(value: unknown): string | null {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return (STATUS_LABELS.get(value) ?? value) || null;
  return Array.isArray(value) && value.length > 0 ? listWords(value.map(String)) : null;
}

function listWords(entries: string[]): string {
  const more = entries.length - ENTRIES_SHOWN;
  return entries.slice(0, ENTRIES_SHOWN).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
