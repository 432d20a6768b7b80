/** In characters: a document says at its beginning that it is outdated. */
export const START_LENGTH = 300;

/** Words that say of a document that it is outdated, without a verb, with one, and with what took its place. */
const STATUS =
  "no longer (?:valid|in force)|superseded|obsolete|outdated|non più (?:valid[oaie]|in vigore)|superat[oaie]|nicht mehr gültig|überholt";
const CLAUSE =
  "no longer (?:applies|apply)|non (?:è|sono) più (?:valid[oaie]|in vigore)|ya no (?:es válid[oa]|son válid[oa]s|está vigente|están vigentes)|n['’]est plus (?:valable|en vigueur)|ne sont plus (?:valables|en vigueur)";
const REPLACED = "replaced by|sostituit[oaie] da|sustituid[oa]s? por|ersetzt durch|remplacée?s? par";

/** Most texts have none of these words, and are not read further. */
const MENTIONS = new RegExp(String.raw`(?<!\p{L})(?:${STATUS}|${CLAUSE}|${REPLACED})(?!\p{L})`, "iu");

/** What a document calls itself, also as the end of a compound. */
const NOUN = [
  String.raw`\p{L}*(?:documents?|versions?|editions?|polic(?:y|ies)|guides?|guidelines?|pages?|articles?|texts?|notices?`,
  "terms|conditions|rules|rates|prices?|lists?|tariffs?|instructions|handbooks?|manuals?|procedures?|forms?|catalogu?es?",
  "sheets?|information|document[oi]|version[ei]|edizion[ei]|pagin[ae]|articol[oi]|testo|guid[ae]|regolament[oi]|condizioni",
  "termini|prezzi|listin[oi]|tariff[ae]|istruzioni|manual[ei]|procedur[ae]|informativ[ae]|norm[ae]|regol[ae]|modul[oi]",
  "disposizioni|documentos?|versi(?:ón|ones)|edici(?:ón|ones)|políticas?|guías?|páginas?|artículos?|textos?|condiciones",
  "términos|precios|listas?|tarifas?|reglas?|reglamentos?|procedimientos?|instrucciones|formularios?|dokumente?",
  "fassung(?:en)?|ausgabe|richtlinien?|leitfaden|seite|artikel|bedingungen|regeln|regelung(?:en)?|ordnung|preise|liste",
  "anleitung|handbuch|verfahren|formular|informationen|éditions?|politiques?|règles|règlements?|prix|listes?|tarifs?",
  String.raw`textes?|manuels?|procédures?|formulaires?|informations)(?!\p{L})`,
].join("|");
const YEAR = String.raw`(?<!\p{N})(?:19|20)\d\d(?!\p{N})`;
const THIS = "this|these|quest[oaie]|est[ae]|estos|estas|diese[rsm]?|cet|cette|ces|ce";
const VERB =
  "is|are|was|were|has|have|has been|have been|è|sono|è stat[oa]|sono stat[ie]|es|son|está|están|ha sido|han sido|ist|sind|wurden?|est|sont|a été|ont été";
const SINCE = "since|as of|from|on|seit|ab|da|dal|dalla|dall|por|desde|durch|depuis|par|by";
/** What makes the rest of a sentence a case, such as that of a card that a policy is about. */
const WHEN = "if|when|unless|once|se|quando|si|cuando|wenn|falls|sobald|quand|lorsque";
const ABOUT = "for|about|where|how|what|which|that|per|su|für|über|para|sobre|pour|sur|dass|che|que";
const SIGNAL =
  "status|state|stato|estado|statut|état|note|nota|hinweis|achtung|attention|warning|important|avviso|aviso|attenzione";

/** "Superseded." or "No longer valid since 2025" */
const LABEL = anchored(
  String.raw`[([*_]*(?:(?:${STATUS}|${CLAUSE})(?=[)\]*_.!:;]|$| [-–—] | (?:${SINCE})(?!\p{L})|, (?:see|use|siehe|vedi|voir|véase) )|(?:${REPLACED}) [^.!?]{0,60}?(?:${NOUN}|${YEAR}))`,
);
/** "Status: superseded" or "Prices of 2024: no longer valid" */
const LABEL_AFTER_COLON = anchored(String.raw`(?:${SIGNAL}|(?:\S+ ){0,3}?${NOUN}(?: \S+){0,2}): (?<label>.*)`);
/** "Prices of 2024 (no longer valid)" */
const LABEL_IN_BRACKETS = new RegExp(
  String.raw`(?:${NOUN}|${YEAR})[^.!?()]{0,30}\((?:${STATUS})(?:\)| (?:${SINCE})(?!\p{L}))`,
  "iu",
);
/** "Prices no longer valid", without a verb */
const SHORT_SENTENCE = anchored(
  String.raw`(?!(?:${WHEN}) )(?:\S+ ){0,3}?${NOUN}(?: (?!(?:${VERB}) )\S+){0,3}? (?:${STATUS})[.!]?$`,
);
/** "Outdated price list" */
const ADJECTIVE = anchored(String.raw`(?:${STATUS}) (?:\S+ ){0,2}?${NOUN}$`);
/** "This is an outdated version" */
const OWN_ADJECTIVE = anchored(String.raw`(?:${THIS}) (?:${VERB}) (?:\S+ )?(?:${STATUS}) (?:\S+ )?${NOUN}`);
/** "This version of the terms has been replaced by another" */
const OWN_SENTENCE = anchored(
  String.raw`(?:(?:\p{L}+ ?){1,2}: |(?:please )?note that )?(?:${THIS}) (?:\S+ ){0,2}?${NOUN}(?: (?:of|for|from|di|del|della|de|der|des|du|vom|von)(?: (?!(?:${ABOUT}) )\S+){1,4}?)? (?:${CLAUSE}|(?:${VERB}) (?:(?!(?:${ABOUT}) )\S+ ){0,2}?(?:(?:${SINCE}) [^;:!?]{1,25} )?(?:${STATUS}|${REPLACED}))(?!\p{L})(?!,? (?:${WHEN})(?!\p{L}))`,
);
const SENTENCES = [LABEL, SHORT_SENTENCE, OWN_ADJECTIVE, OWN_SENTENCE];
/** Not after the number of a list item, so that "2. obsolete" stays one. */
const SENTENCE_END = /\n+|(?<=(?:[\p{L}\])"”*_]|\p{N}{3})[.!?])\s+/u;
/** What stands between the parts of a title, which may be the name of a file. */
const BETWEEN_PARTS = /[()[\]{}|:;,–—_/.-]+/u;

/**
 * Whether a document says of itself that another one has taken its place. Text about other things that are no longer
 * valid does not.
 * @param labels the title, and the headings above the text
 */
export function saysOutdated(labels: readonly string[], content: string): boolean {
  const start = content.slice(0, START_LENGTH);
  if (!MENTIONS.test([...labels, start].join("\n"))) return false;
  return labels.some(isOutdatedLabel) || start.split(SENTENCE_END).some(isOutdatedSentence);
}

function isOutdatedLabel(given: string): boolean {
  const label = given.slice(0, START_LENGTH).trim();
  if (isQuestion(label)) return false;
  const parts = label.split(BETWEEN_PARTS).map((part) => part.trim());
  return parts.some((part) => [ADJECTIVE, ...SENTENCES].some((says) => says.test(part)));
}

function isOutdatedSentence(given: string): boolean {
  const sentence = given.replace(/^[#>*_\s]+(?=\S)/, (marks) => (/[*_]\s/.test(marks) ? marks : "")).trim();
  if (isQuestion(sentence)) return false;
  const afterColon = LABEL_AFTER_COLON.exec(sentence)?.groups?.label ?? "";
  const says = [LABEL_IN_BRACKETS, ...SENTENCES].some((each) => each.test(sentence));
  return says || LABEL.test(afterColon);
}

function isQuestion(text: string): boolean {
  return /\?["”»)*_]*$/u.test(text);
}

/** The pattern at the beginning of a text. */
function anchored(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})`, "iu");
}
