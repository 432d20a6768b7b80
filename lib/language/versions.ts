/** Words that say that something is not valid any more. */
const EXPIRED =
  "no longer (?:valid|in force|applies|apply)|superseded|obsolete|outdated|non (?:è |sono )?più (?:valid[oaie]|in vigore)|ya no (?:es válid[oa]|está vigente)|nicht mehr gültig|n['’]est plus (?:valable|en vigueur)";
/** Words that also mean that a limit was passed, or a machine overhauled. */
const SUPERSEDED_OR_EXCEEDED = "superat[oaie]|überholt";
/** What "us" replaces is a defective part. */
const REPLACED =
  "replaced by(?! us)|sostituit[oaie] da(?! noi)|sustituid[oa]s? por(?! nosotr)|ersetzt durch(?! uns)|remplacée?s? par(?! nous)";
/** Vouchers and parts expire too: the sentence must be about a document. Conditions are one only as "these conditions". */
const DOCUMENT =
  "(?<!(?:identity|id|travel|your|suo|tuo|su|tu|votre|ton|ihr|dein) )(?:documents?|document[oi]s?|dokumente?s?)(?! (?:d['’]identit|de ident))|versions?|version[ei]|versión|versionen|editions?|edizion[ei]|edición|fassung|ausgabe|éditions?|polic(?:y|ies)|politica|política|politique|richtlinien?|regolamento|reglamento|règlement|pages?|pagina|página|notices?|avviso|aviso|hinweis|manual(?! (?!of |for |from )(?:\\p{L}+ ){1,2}(?:is|was|are|were|has|have)(?!\\p{L}))|manuals|handbooks?|manuale|handbuch|manuel|agb|cgv|price ?lists?|preisliste|listin[oi]|lista de precios|(?:this|these|quest[aei]|est[ae]s?|dieser?|ces?) (?:terms|conditions|guide|prices|tariffs?|condizioni|guida|prezzi|tariff[ae]|condiciones|guía|precios|tarifas?|bedingungen|preise|prix|tarifs)";
/** What expires without a document: a page about vouchers says that "these vouchers" do. */
const THING = [
  "vouchers?|coupons?|cards?|codes?|tickets?|discounts?|offers?|promotions?|passwords?|numbers?|links?|tokens?|licen[cs]es?|passports?|browsers?|devices?|products?|parts?|machines?|pass(?:es)?|warrant(?:y|ies)|times?|date|day|moment|reason|case|point",
  "buon[oi]|cart[ae]|codic[ei]|bigliett[oi]|scont[oi]|offert[ae]|promozion[ei]|tesser[ae]|prodott[oi]|dispositiv[oi]|garanzi[ae]|punto",
  "vales?|cup[oó]n(?:es)?|tarjetas?|códigos?|billetes?|descuentos?|ofertas?|promoci(?:ón|ones)|contraseñas?|productos?|garantías?",
  "\\p{L}*(?:gutscheine?|karten?|ausweise?|rabatte?|angebote?|scheine?)|passwort|passwörter|geräte?|produkte?|garantien?|zeitpunkt",
  "bons?|cartes?|billets?|remises?|réductions?|offres?|mots? de passe|produits?|appareils?|garanties?|chèques?",
].join("|");
/** "This regulation", at the beginning or after "Note:": none of its words names a thing. */
const DEMONSTRATIVE = `(?<=^\\P{L}{0,8}|[:!–-] |(?:that|note|che|que|dass) )(?:this|these|quest[oaei]|est[eao]s?|dies(?:er?|es)|ces?|cet|cette)`;
const NON_THING_WORD = `(?: (?!(?:${THING}|that|which|che|que|qui|the|an?|your|der|die|das|il|la|el|le)(?!\\p{L}))[^\\s,;:]{1,30})`;
const WORDS = "(?: [^\\s,;:]{1,30})";
/** A document named as the place of a rule is not what expires: "Under this policy parts are replaced by new ones." */
const NO_PREPOSITION =
  "(?<!(?<!\\p{L})(?:under|in|on|by|with|auf|nach|gemäß|unter|secondo|según|selon|dans|en) (?:\\p{L}{1,12} )?)";
/** Not "outdated browsers". */
const IS_EXPIRED = `(?:${EXPIRED})(?!\\p{L})(?! (?!by |since )\\p{L})`;
/** What a document consists of, as in "the information on this page". */
const TERMS =
  "rules|regelung(?:en)?|information(?:en)?|informazioni|contents|angaben|terms|conditions|condizioni|prices|preise|prezzi|tariffs?|tariffe|guide|guida";
const OF_DOCUMENT = [
  pattern(
    `${NO_PREPOSITION}(?:${DOCUMENT})(?:,${WORDS}{1,6},)?${WORDS}{0,6}[ (–-]{1,3}(?:${EXPIRED}|${SUPERSEDED_OR_EXCEEDED}|${REPLACED})`,
  ),
  pattern(`(?:superseded by|${REPLACED})${WORDS}{0,3} (?:${DOCUMENT})`),
  pattern(`(?:${EXPIRED}) (?:${DOCUMENT})`),
  pattern(`${NO_PREPOSITION}(?:${TERMS})(?! that )(?:${WORDS}{0,5} ${IS_EXPIRED}|${WORDS}{0,3} (?:${REPLACED}))`),
  pattern(`${DEMONSTRATIVE}${NON_THING_WORD}{1,5}[ (–-]{1,3}${IS_EXPIRED}`),
];
const EXPIRED_LABEL = pattern(
  `${IS_EXPIRED}|\\((?:${SUPERSEDED_OR_EXCEEDED})\\)|(?<=^\\P{L}{0,8})(?:${EXPIRED})(?: \\p{L}+)? (?:${DOCUMENT}|${TERMS})`,
);
/** A sentence of little else: "Prices no longer valid." */
const EXPIRED_ALONE = new RegExp(
  `^(?!\\P{L}*(?:\\p{L}+ )?(?:${THING}) (?:are|is|sind|ist|non (?:è|sono)|ya no|n['’]est)(?!\\p{L}))\\P{L}*(?:(?:\\p{L}+\\P{L}+){0,2}(?<!\\p{L})${IS_EXPIRED}|(?:${SUPERSEDED_OR_EXCEEDED})\\P{L}*$)`,
  "iu",
);
/** A rule, unless it begins on a date: "no longer valid after 31 December 2024". */
const CONDITION =
  "if|once|when|unless|se(?! (?:informa|comunica))|quando|qualora|una volta|si(?! (?:informa|avvisa|comunica|prega))|cuando|una vez|wenn|falls|sobald|sofern|quand|lorsque|wanneer|zodra|(?:after|dopo|nach|después|tras|après|após)(?!.{0,30}(?<!\\p{N})(?:19|20)\\d\\d(?!\\p{N}))";
const CONDITION_BEFORE = pattern(CONDITION);
/** After a comma, "se" and "si" also begin advice: "se référer à la version 2025". */
const CONDITION_AFTER = new RegExp(
  `^[^,;:.(–]{0,100}(?<!\\p{L})(?:${CONDITION})(?!\\p{L})|^, (?!s[ei] )(?:${CONDITION})(?!\\p{L})`,
  "iu",
);
const SENTENCE_END = /(?<=[.!?])\s+|\n+/u;
const YEAR = /(?<!\p{N})(?:19|20)\d\d(?!\p{N})/gu;
/** In characters: a document says at its beginning that it is outdated. */
export const START_LENGTH = 300;

/** A chunk, or only the beginning of its content. */
interface Dated {
  title: string;
  /** The headings above the chunk, and other labels. */
  path: readonly string[];
  content: string;
}

/** What a chunk says about the version of its document. */
export interface VersionClues {
  /** The title without years. */
  stem: string;
  /** The latest year in the title; 0 without one. */
  year: number;
  saysOutdated: boolean;
}

export function versionClues({ title, path, content }: Dated): VersionClues {
  const labels = statementsOf([title, ...path].join("\n"));
  const sentences = statementsOf(content.slice(0, START_LENGTH));
  return {
    stem: title.toLowerCase().replaceAll(YEAR, "").trim(),
    year: Math.max(0, ...yearsIn(title)),
    saysOutdated:
      labels.some((label) => isOutdated(label, EXPIRED_LABEL)) ||
      sentences.some((sentence) => isOutdated(sentence, EXPIRED_ALONE)),
  };
}

/** Without questions, which may be about anything that is no longer valid. */
function statementsOf(text: string): string[] {
  return text.split(SENTENCE_END).filter((sentence) => !sentence.trimEnd().endsWith("?"));
}

function isOutdated(statement: string, byItself: RegExp): boolean {
  return [byItself, ...OF_DOCUMENT].some((said) => {
    const found = said.exec(statement);
    if (found === null) return false;
    const end = found.index + found[0].length;
    return !CONDITION_BEFORE.test(statement.slice(0, end)) && !CONDITION_AFTER.test(statement.slice(end));
  });
}

/**
 * Indexes of the older versions: those that say so, and those whose title differs from another's only by an earlier
 * year, unless the question asks for that year.
 */
export function olderVersions(clues: readonly VersionClues[], question = ""): ReadonlySet<number> {
  const asked = new Set(yearsIn(question));
  const latest = new Map<string, number>();
  for (const { stem, year } of clues) latest.set(stem, Math.max(year, latest.get(stem) ?? 0));
  const older = clues.flatMap(({ stem, year, saysOutdated }, index) => {
    const isOlder = year > 0 && year < (latest.get(stem) ?? 0);
    return (isOlder || saysOutdated) && !asked.has(year) ? [index] : [];
  });
  return new Set(older);
}

/** Indexes of the chunks of older versions. */
export function outdatedChunks(chunks: readonly Dated[]): ReadonlySet<number> {
  return olderVersions(chunks.map(versionClues));
}

function yearsIn(text: string): number[] {
  return (text.match(YEAR) ?? []).map(Number);
}

function pattern(alternatives: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${alternatives})(?!\\p{L})`, "iu");
}
