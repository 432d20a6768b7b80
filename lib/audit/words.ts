/** What happened, in plain words that follow a name: "Ada created the key Website". */
const WORDS: Record<string, string> = {
  "answer.reported": "reported an answer",
  "answer.resolved": "resolved a reported answer",
  "api_key.created": "created a key",
  "api_key.renamed": "renamed a key",
  "api_key.revoked": "revoked a key",
  "api_key.rotated": "rotated a key",
  "company.created": "created the company",
  "company.renamed": "renamed the company",
  "company.settings_changed": "changed the company's settings",
  "invitation.accepted": "accepted an invitation",
  "invitation.created": "invited someone",
  "invitation.withdrawn": "withdrew an invitation",
  "knowledge.added": "added knowledge",
  "member.added": "added a member",
  "member.removed": "removed a member",
  "member.reset_link_created": "made a link for a new password",
  "member.role_changed": "changed a member's role",
  "source.deleted": "deleted a source",
  "source.restored": "brought a source back",
  "subscription.cancelled": "cancelled the subscription",
  "subscription.plan_changed": "changed the plan",
  "subscription.resumed": "resumed the subscription",
  "subscription.set": "set the subscription",
};

/** An action that has no words yet is shown as it is called. */
export function actionWords(action: string): string {
  return WORDS[action] ?? action.replaceAll(/[._]/g, " ");
}

const FIELD_WORDS: Record<string, string> = {
  answers: "AI answers",
  contentCategory: "categories",
  currentPeriodEnd: "until",
  defaultAudience: "default audience",
  expiresAt: "expires",
  hashQueries: "keep hashes of questions",
  queryRetentionDays: "days in the log",
  rateLimitPerMinute: "requests a minute",
  sourceTypes: "types",
};
/** Ids tell a reader nothing, and the plan is what a subscription's event names as its target. */
const UNTOLD = /Id$|^plan$/;
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*Z$/;

/** The details of an event as `name: value`, one each, and first what became of what; what is empty is left out. */
export function detailWords({ from, to, ...detail }: Record<string, unknown>): string[] {
  const [before, after] = [valueWords(from), valueWords(to)];
  return [...(before && after ? [`${before} → ${after}`] : fieldWords({ from, to })), ...fieldWords(detail)];
}

function fieldWords(detail: Record<string, unknown>): string[] {
  return Object.entries(detail).flatMap(([name, value]) => {
    if (UNTOLD.test(name)) return [];
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return fieldWords({ ...value });
    const words = valueWords(value);
    return words === null ? [] : `${FIELD_WORDS[name] ?? name.replaceAll("_", " ")}: ${words}`;
  });
}

function valueWords(value: unknown): string | null {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return value.replace(INSTANT, "$1 $2 UTC") || null;
  return Array.isArray(value) && value.length > 0 ? value.map(String).join(", ") : null;
}
