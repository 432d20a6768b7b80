import { TIME_UNITS } from "../ai/local/type-evidence.ts";
import type { Language } from "../language/function-words.ts";

/** How a language writes questions that depend on the previous question. */
interface FollowUpWords {
  /** Begins a question that continues another one; removed from the completed question. */
  opening: RegExp;
  /** Repeats the previous question for a new subject: "what about …?" */
  instead: RegExp;
  /** Stands for something named earlier; neither "there is" nor a polite "your", which some languages write as "his". */
  reference: RegExp;
  /** Names something with a word that refers back: "this plan". */
  demonstrative: RegExp;
  /** Words of a question with a verb of its own. */
  clause: RegExp;
  preposition: RegExp;
}

export const FOLLOW_UP_WORDS: Readonly<Record<Language, FollowUpWords>> = {
  en: {
    opening: starts("and|also|but|or|so|then|ok|okay|thanks|thank you"),
    instead: starts("what about|how about|what if"),
    reference: has(
      "it|its|they|them|their|theirs|that|this|those|these|one|ones|he|she|him|her|(?<!(?:is|are|was|were|be) )there(?! (?:is|are|was|were))|same|both",
    ),
    demonstrative: demonstrative(
      "this|that|these|those|such an?|the same",
      "year|month|week|day|morning|evening|time|site",
    ),
    clause: has(
      "what|which|who|when|where|why|how|is|are|was|were|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had|need|needs",
    ),
    preposition: starts("for|in|with|without|from|on|at|to|by|per|after|before|during|outside|within|abroad|as|if"),
  },
  it: {
    opening: starts("e|ed|ma|anche|oppure|o|quindi|allora|invece|ok|grazie"),
    instead: starts("e(?= (?:i|gli|le|il|lo|la|per|con|in|da|a|se) )|che dire (?:di|del|della)"),
    reference: has(
      "questo|questa|questi|queste|quello|quella|quelli|quelle|ciò|esso|essa|essi|esse|lui|ne|ci(?! (?:sono|sarà|saranno))|stesso|stessa|entrambi|\\p{L}{2,}(?:ar|er|ir|r)(?:lo|la|li|le|ne|ci)",
    ),
    demonstrative: demonstrative(
      "quest[oaie]|quell[oaie]|quel|quei|lo stesso|la stessa",
      "anno|mese|settimana|giorno|sito",
    ),
    clause: has(
      "che|chi|cosa|quale|quali|quando|dove|perché|come|quanto|quanta|quanti|quante|è|sono|posso|può|possono|devo|deve|devono|ho|ha|hanno|c'è|si|viene|vale|costa|costano|dura|serve",
    ),
    preposition: starts(
      "per|in|con|senza|da|dal|dalla|a|al|alla|ai|alle|di|del|della|dopo|prima|fuori|entro|se|all['’]|nel|nella",
    ),
  },
  es: {
    opening: starts("¿?(?:y|e|pero|también|o|entonces|gracias)"),
    instead: starts("¿?(?:qué hay de|qué pasa con|y(?= (?:los|las|el|la|para|con|en|si) ))"),
    reference: has(
      "esto|esta|este|estos|estas|eso|esa|ese|esos|esas|aquello|ello|él|ella|ellos|ellas|mismo|misma|ambos|\\p{L}{2,}(?:ar|er|ir)(?:lo|la|los|las)",
    ),
    demonstrative: demonstrative("est[eao]s?|es[eao]s?|aquel(?:la|los)?|el mismo|la misma", "año|mes|semana|día|sitio"),
    clause: has(
      "qué|quién|quiénes|cuál|cuáles|cuándo|dónde|por qué|cómo|cuánto|cuánta|cuántos|cuántas|es|son|puedo|puede|pueden|debo|debe|hay|tengo|tiene|se|cuesta|dura",
    ),
    preposition: starts("¿?(?:para|en|con|sin|desde|a|al|de|del|después|antes|fuera|si)"),
  },
  de: {
    opening: starts("und|aber|auch|oder|dann|danke|ok"),
    instead: starts("und(?= (?:für|mit|in|bei|die|der|das) )|wie sieht es (?:mit|bei)|was ist mit"),
    reference: has(
      "(?<!gibt )es(?! gibt)|er|ihn|ihm|dies|diese[rsnm]?|davon|dafür|dabei|damit|dazu|dort|derselbe|dasselbe|beide",
    ),
    demonstrative: demonstrative("diese[rsnm]?|jene[rsnm]?|derselbe|dieselbe|dasselbe", "jahr|monat|woche|tag|seite"),
    clause: has(
      "was|welche[rsnm]?|wer|wann|wo|warum|wie|ist|sind|kann|können|darf|dürfen|muss|müssen|soll|wird|werden|hat|haben|gibt|kostet|gilt|dauert",
    ),
    preposition: starts("für|in|im|mit|ohne|von|vom|bei|beim|nach|vor|zu|zum|zur|an|am|aus|außerhalb|wenn"),
  },
  fr: {
    opening: starts("et|mais|aussi|ou|alors|merci"),
    instead: starts("et(?= (?:pour|avec|les|le|la|en|dans) )|qu['’]en est-il (?:de|du|des)"),
    reference: has(
      "ça|cela|ceci|celui|celle|ceux|celles|(?<!(?:y a-t|faut)-)il(?! (?:y a|faut))|elle|ils|elles|lui|leur|son|sa|ses|même",
    ),
    demonstrative: demonstrative("ce|cet|cette|ces|le même|la même", "année|mois|semaine|jour|site"),
    clause: has(
      "que|quel|quelle|quels|quelles|qui|quand|où|pourquoi|comment|combien|est|sont|est-ce|puis-je|peut|peut-on|dois-je|faut|a|ont|coûte|dure",
    ),
    preposition: starts("pour|en|dans|avec|sans|de|du|des|à|au|aux|chez|après|avant|hors|si"),
  },
  pt: {
    opening: starts("e|mas|também|ou|então|obrigad[oa]"),
    instead: starts("e(?= (?:para|com|em|os|as|o|a) )|que tal"),
    reference: has("isso|isto|este|esta|esse|essa|aquele|aquela|ele|ela|eles|elas|mesmo|mesma"),
    demonstrative: demonstrative("est[ea]s?|ess[ea]s?|aquel[ea]s?|o mesmo|a mesma", "ano|mês|semana|dia|site"),
    clause: has(
      "que|qual|quais|quem|quando|onde|porquê|como|quanto|quanta|quantos|quantas|é|são|posso|pode|podem|devo|deve|há|tem|custa|dura",
    ),
    preposition: starts("para|em|com|sem|de|do|da|a|ao|à|depois|antes|fora|se|no|na"),
  },
  nl: {
    opening: starts("en|maar|ook|of|dan|bedankt"),
    instead: starts("en(?= (?:voor|met|in|de|het) )|hoe zit het met"),
    reference: has("dat|dit|deze|die|hij|zij|ze|hem|haar|daar|ervan|ervoor|ermee|dezelfde|hetzelfde"),
    demonstrative: demonstrative("deze|dit|die|dat|dezelfde|hetzelfde", "jaar|maand|week|dag|site"),
    clause: has(
      "wat|welke?|wie|wanneer|waar|waarom|hoe|is|zijn|kan|kunnen|mag|mogen|moet|moeten|wordt|heeft|hebben|kost|duurt",
    ),
    preposition: starts("voor|in|met|zonder|van|bij|naar|op|aan|na|buiten|als"),
  },
};

/** Greetings, thanks, yes and no, of all languages, because these words are too few to tell the language. */
const COURTESY_WORDS = [
  "hello|hi(?: there)?|hey|good (?:morning|afternoon|evening|day)|thanks(?: a lot)?|many thanks|thank you|(?:very|so) much|for (?:the|your) help|yes|yeah|yep|no|nope|please|ok|okay|great|perfect|fine|good|all right|alright|got it|understood|that(?: is|['’]s) all|that helps|bye|goodbye",
  "ciao|salve|buon ?giorno|buona ?sera|grazie(?: mille)?|(?:mille|tante|molte) grazie|per favore|prego|sì|si|va bene|d['’]accordo|perfetto|ottimo|capito|certo|arrivederci",
  "hola|buen[oa]s (?:días|tardes|noches)|(?:much(?:as|ísimas) )?gracias|por favor|sí|vale|de acuerdo|perfecto|genial|entendido|claro|adiós",
  "hallo|guten (?:tag|morgen|abend)|danke(?: schön| sehr)?|dankeschön|vielen(?: lieben)? dank|bitte|ja|nein|in ordnung|alles klar|super|perfekt|gut|verstanden|tschüss|auf wiedersehen",
  "bonjour|bonsoir|salut|merci(?: beaucoup| bien)?|s['’]il (?:vous|te) pla[iî]t|oui|non|d['’]accord|parfait|très bien|compris|entendu|au revoir",
  "olá|oi|bom dia|boa (?:tarde|noite)|(?:muito )?obrigad[oa]|sim|não|perfeito|ótimo|entendi|adeus|tchau",
  "hoi|goede(?:morgen|middag|navond|ndag)|dank (?:u|je)(?: wel)?|(?:hartelijk )?bedankt|hartelijk dank|alstublieft|alsjeblieft|nee|oké|akkoord|begrepen|tot ziens|doei",
].join("|");
/** A message without words, or with nothing but greetings, thanks, yes and no. */
export const COURTESY = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:(?:${COURTESY_WORDS})(?![\\p{L}\\p{N}])[^\\p{L}\\p{N}]*)*$`,
  "iu",
);
/** Nouns of a type of fact that a company has one of, so that a whole question with them stands alone. */
export const NAMED_FACT = has(
  "orari|horarios|horaires|prices|prezzi|precios|preise|(?<!(?:le|quel) )prix|tarifs|preços|prijzen",
);
/** What a shop or a course has too, so that only a question with "your" stands alone. */
export const HOURS = has("(?:opening|office|business) hours|orario|horario");
/** "Your", in all languages. */
export const POSSESSIVE = has(
  [
    "your|vostr[oaie]|tuoi?|tua|tue|suoi?|sua|sue|sus?|tus?|vuestr[oa]s?|ihre?[nr]?|eure?[nr]?|deine?[nr]?",
    "votre|vos|ton|tes|seus?|vossos?|uw|jullie|je",
  ].join("|"),
);
/** What makes a question of a noun a whole one: a verb, or "your". */
export const VERB_OR_POSSESSIVE = has(
  [
    "is|are|what['’]?s|do|does|can|should|must|have|your|è|qual['’]è|sono|avete|fate|vostr[oaie]|tuoi?|tua|tue|suoi?|sua|sue",
    "es|son|tiene|tienen|tenéis|sus?|tus?|vuestr[oa]s?|ist|sind|lautet|lauten|haben|gelten|gilt|ihre?[nr]?|eure?[nr]?|deine?[nr]?",
    "est|sont|avez|ont|votre|vos|ton|tes|é|são|têm|tem|seus?|suas?|vossos?|zijn|hebben|gelden|uw|jullie|je",
  ].join("|"),
);

/** What the articles "das" and "het" have after them as pronouns. */
const NO_NOUN =
  "nicht|noch|auch|denn|hier|jetzt|extra|pro|für|bei|in|im|mit|niet|nog|ook|nu|voor|met|per|por|para|pour|al|par";
const ARTICLES = "the|an?|your|il|lo|la|i|gli|le|un[oae]?|el|los|las|der|die|das|eine?|les|os?|as?|uma?|de|het|een";
/** Not a price's period: "How much is a month?" asks for the price of something named earlier. */
const NOUN = `(?!(?:${TIME_UNITS}|mes|${ARTICLES}|${NO_NOUN})(?!\\p{L}))\\p{L}+`;
/** A verb and its noun: "Who is the CEO?", "How much is shipping?" */
export const SUBJECT = has(
  `(?:how \\p{L}+|when) (?:is|are|do|does) (?:(?:the|an?|your) )?(?!(?:i|we)(?!\\p{L}))${NOUN}|(?:is|are|è|sono|dura|durano|costa|costano|es|son|cuesta|cuestan|ist|sind|kostet|gilt|est|sont|coûte|dure|é|são|custa|custam|zijn|kost|duurt) (?:(?:${ARTICLES}) |l['’])${NOUN}`,
);

function starts(alternatives: string): RegExp {
  return new RegExp(`^(?:${alternatives})(?![\\p{L}\\p{N}])[\\s,]*`, "iu");
}

function has(alternatives: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, "iu");
}

/** The words, then a noun that does not name a time or the place of the chat. */
function demonstrative(words: string, except: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words}) (?!(?:${except})(?![\\p{L}]))\\p{L}{3,}`, "iu");
}
