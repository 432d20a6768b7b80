import type { Language } from "../../language/function-words.ts";

/** Words with which a sentence limits the one before it. */
const LIMITING_WORDS: Readonly<Record<Language, RegExp>> = {
  en: says("unless|except|exceptions?|however|provided|but|only|otherwise|notwithstanding|not"),
  it: says("salvo|tranne|eccetto|eccezion[ei]|tuttavia|però|purché|a meno|solo|altrimenti|ma|non"),
  es: says("salvo|excepto|excepci[oó]n(?:es)?|sin embargo|no obstante|siempre que|pero|solo|sólo|a menos|no"),
  de: says("außer|ausnahmen?|ausgenommen|jedoch|allerdings|sofern|aber|nur|sonst|andernfalls|nicht|kein\\p{L}*"),
  fr: says("sauf|exceptions?|toutefois|cependant|néanmoins|mais|seulement|à moins|sinon|ne|pas"),
  pt: says("salvo|exceto|exceç(?:ão|ões)|porém|contudo|no entanto|mas|apenas|a menos|não"),
  nl: says("tenzij|behalve|uitzondering(?:en)?|echter|maar|mits|alleen|anders|niet|geen"),
};
/** In characters: a limit stands at the start of a sentence. */
const START_LENGTH = 60;

/** Whether a sentence limits the one before it: "However, …", "This does not apply …", "Except on Sunday, …". */
export function isLimit(sentence: string, language: Language): boolean {
  return LIMITING_WORDS[language].test(sentence.slice(0, START_LENGTH));
}

function says(alternatives: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, "iu");
}
