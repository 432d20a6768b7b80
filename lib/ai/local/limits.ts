import type { Language } from "../../language/function-words.ts";

/** Words with which a sentence limits the one before it. */
const LIMITING_WORDS: Readonly<Record<Language, RegExp>> = {
  en: says("unless except exception exceptions however provided but only otherwise notwithstanding not"),
  it: says("salvo tranne eccetto eccezione eccezioni tuttavia però purché a meno solo altrimenti ma"),
  es: says("salvo excepto excepción sin embargo no obstante siempre que pero solo sólo a menos"),
  de: says("außer ausnahme ausnahmen ausgenommen jedoch allerdings sofern aber nur sonst andernfalls"),
  fr: says("sauf exception exceptions toutefois cependant néanmoins mais seulement à moins sinon"),
  pt: says("salvo exceto exceção porém contudo no entanto mas apenas a menos"),
  nl: says("tenzij behalve uitzondering echter maar mits alleen anders"),
};
/** In characters: a limit is named where a sentence begins. */
const START_LENGTH = 60;

/** Whether a sentence limits the one before it: "However, …", "This does not apply …", "Except on Sunday, …". */
export function isLimit(sentence: string, language: Language): boolean {
  return LIMITING_WORDS[language].test(sentence.slice(0, START_LENGTH));
}

function says(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.split(" ").join("|")})(?![\\p{L}\\p{N}])`, "iu");
}
