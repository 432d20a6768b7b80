import type { Language } from "../../language/function-words.ts";

/** First words that refer to the previous sentence. Ambiguous ones, such as German "Sie", are left out. */
const REFERRING_WORDS: Readonly<Record<Language, RegExp>> = {
  en: begins("it its they their this these those he she his her such both however therefore otherwise but also then"),
  it: begins("esso essa essi esse questo questa questi queste ciò tale tali inoltre tuttavia però altrimenti anche"),
  es: begins("esto este esta estos estas ello ellos ellas dicho dicha tal además también pero"),
  de: begins("er dies diese dieser dieses diesen dabei dafür danach dann außerdem jedoch sonst andernfalls auch"),
  fr: begins("elle elles ils cela ceci cette ces toutefois cependant sinon ensuite mais"),
  pt: begins("ele ela eles elas isto isso este esta esse essa tal também porém contudo mas"),
  nl: begins("hij zij dit deze daarna echter anders ook maar"),
};

/** Whether a sentence needs the previous one to be understood. */
export function refersBack(sentence: string, language: Language): boolean {
  return REFERRING_WORDS[language].test(sentence);
}

function begins(words: string): RegExp {
  return new RegExp(`^(?:${words.split(" ").join("|")})(?![\\p{L}\\p{N}])`, "iu");
}
