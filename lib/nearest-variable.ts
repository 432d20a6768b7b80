/** Prefixes that variables of other programs are not expected to have. */
const OWN_PREFIXES = ["EMBEDDING_", "RERANK_", "OIDC_", "SMTP_", "RATE_LIMIT"];

/** Shorter names are not compared: two edits turn one everyday name into another (HOME, HOST). */
const MIN_FUZZY_LENGTH = 7;

/**
 * The known variable that an unknown one was probably meant to be; null for a known or an unrelated one. Similar means:
 * other case, at most two edits (Levenshtein), missing parts (OPENAI_KEY), or a prefix of ours.
 */
export function nearestVariable(name: string, known: readonly string[]): string | null {
  const upper = name.toUpperCase();
  if (known.includes(name)) return null;
  if (known.some((candidate) => upper.startsWith(`${candidate}_`))) return null;

  const near = known
    .map((candidate) => ({ candidate, edits: editDistance(upper, candidate) }))
    .filter(({ candidate, edits }) => edits <= 2 && candidate.length >= MIN_FUZZY_LENGTH)
    .sort((a, b) => a.edits - b.edits);
  if (near[0]) return near[0].candidate;

  const longer = known.find((candidate) => isMissingParts(upper, candidate));
  if (longer) return longer;
  const prefix = OWN_PREFIXES.find((p) => name.startsWith(p));
  if (!prefix) return null;
  const family = known.filter((candidate) => candidate.startsWith(prefix));
  return family.sort((a, b) => commonStart(name, b) - commonStart(name, a))[0] ?? null;
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/**
 * Whether a name is a known one with parts missing, as OPENAI_KEY for OPENAI_API_KEY: same first part, at least one
 * more, in order.
 */
function isMissingParts(name: string, candidate: string): boolean {
  const parts = name.split("_");
  const [first, ...rest] = candidate.split("_");
  if (parts.length < 2 || parts[0] !== first) return false;
  const remaining = rest.values();
  return parts.slice(1).every((part) => remaining.some((other) => other === part));
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
