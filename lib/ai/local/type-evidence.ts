export const QUESTION_TYPES = [
  "phone",
  "email",
  "account",
  "address",
  "weight",
  "procedure",
  "duration",
  "time",
  "percentage",
  "money",
  "quantity",
  "person",
  "list",
  "decision",
] as const;

/** The kind of fact that a question asks for, as far as its words tell in any supported language. */
export type QuestionType = (typeof QUESTION_TYPES)[number];

/** Patterns that show a fact of a type. */
interface Evidence {
  certain: RegExp;
  /** Weaker evidence, such as a number without a currency, which a table may hold in its header. */
  possible?: RegExp;
  /** Whether a text with neither cannot be the answer. */
  isRequired?: boolean;
}

/** Numbers in words, as contracts and short texts write them. */
const NUMBER_WORDS =
  `one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|dozen|once|twice|half|both|none
  |un|uno|una|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|tredici|quattordici|quindici|sedici|diciassette|diciotto|diciannove|venti|trenta|quaranta|cinquanta|sessanta|settanta|ottanta|novanta|cento|mille|metà|nessun|nessuno|nessuna
  |dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|trece|catorce|quince|dieciséis|veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien|ciento|mil
  |eins?|eine[mnrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dreizehn|vierzehn|fünfzehn|sechzehn|zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig|hundert|tausend|kein|keine
  |deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingt|trente|quarante|cinquante|soixante|cent|aucune?
  |dois|duas|três|sete|oito|dez|doze|treze|quinze|vinte|trinta|quarenta|sessenta|cem|een|twee|drie|vijf|zes|zeven|negen|tien|elf|twaalf|veertien|vijftien|twintig|dertig|veertig|zestig|honderd`.replaceAll(
    /\s+/g,
    "",
  );
/** Units of time, in lower case, as alternatives of a pattern. */
export const TIME_UNITS =
  `seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|decades?|hourly|daily|weekly|monthly|quarterly|annual(?:ly)?|yearly
  |second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|trimestr[ei]|mensil[ei]|annual[ei]|giornalier[oae]
  |segundos?|minutos?|horas?|días?|dias?|semanas?|meses|mês|años?|anos?
  |sekunden?|minuten?|stunden?|tag(?:e[ns]?)?|wochen?|monat(?:e[ns]?)?|jahr(?:e[ns]?)?|täglich|wöchentlich|monatlich|jährlich|werktage?n?
  |secondes?|heures?|jours?|semaines?|mois|ans?|années?|dag(?:en)?|weken|week|maand(?:en)?|jaar|jaren|uur|uren|minuut|minuten`.replaceAll(
    /\s+/g,
    "",
  );
const MONTHS = `january|february|march|april|may|june|july|august|september|october|november|december
  |gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre
  |enero|febrero|marzo|abril|mayo|junio|julio|septiembre|octubre|noviembre|diciembre
  |januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre
  |janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|dezembro|januari|februari|maart|mei|augustus`.replaceAll(
  /\s+/g,
  "",
);
const WEEKDAYS =
  `(?:mon|tues|wednes|thurs|fri|satur|sun)days?|luned[iì]|marted[iì]|mercoled[iì]|gioved[iì]|venerd[iì]|sabato|domenica|festivi
  |lunes|martes|miércoles|jueves|viernes|sábado|domingo|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwoch|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche`.replaceAll(
    /\s+/g,
    "",
  );
const RELATIVE_TIMES =
  `immediate(?:ly)?|at once|instantly|at any time|forever|permanent(?:ly)?|indefinitely|perpetual|promptly|same day|end of|as soon as|before|after|until|once|upon|during|every|always
  |subito|immediatamente|in qualsiasi momento|sempre|per sempre|alla fine|dopo|prima|fino|appena|quando|ogni|al termine
  |inmediatamente|en cualquier momento|siempre|antes|después|hasta|al final|cada|sofort|unverzüglich|jederzeit|immer|vor|nach|bis|ende|sobald
  |immédiatement|à tout moment|toujours|avant|après|jusqu|fin|chaque|imediatamente|sempre|depois|até|fim|cada|onmiddellijk|direct|altijd|voor|na|tot|einde|elke`.replaceAll(
    /\s*\|\s*/g,
    "|",
  );

/** A number, but not that of a section. */
const NUMBER = `(?<!(?:sections?|clauses?|articles?|art\\.|articol[oi]|schedules?|modules?|chapters?|annex|notes?|§) ?)(?:(?<![\\p{L}\\p{N}.])\\p{N})`;
const A_NUMBER = word(`${NUMBER_WORDS}`);
const WHOLE_NUMBER = new RegExp(`^(?:\\p{N}+|${NUMBER_WORDS})$`, "u");
/** "30 days", "fourteen working days". */
const A_DURATION = `(?:\\p{N}|(?<!\\p{L})(?:${NUMBER_WORDS}))[)\\]]?[ \\u00a0-](?:\\p{L}{1,12} ){0,2}(?:${TIME_UNITS})(?!\\p{L})`;
/** Grams in lower case, because "5G" is a network. */
const WEIGHTS = `\\p{N} ?(?:gr?|${anyCase("kgs?|kilos?|kilo-?gram\\p{L}*|chili|chilo|chilogrammi|chilogrammo|gram\\p{L}*|lbs?|pounds?|oz|ounces?|tons?|tonn\\p{L}*|toneladas?|quintali|libras?|livres?")})(?!\\p{L})`;
const IBAN = `(?<![\\p{L}\\p{N}])\\p{Lu}{2}\\d{2}(?: ?[\\p{Lu}\\d]{2,4}){3,9}(?!\\p{L})`;
/** An account number: digits after a word such as "account", with no word for a phone between. */
const NAMED_ACCOUNT = `${anyCase("account|sort code|konto|bankverbindung|conto|cuenta|compte|conta|rekening")}(?:(?!${anyCase("call|phone|tel|fax|ring|chiam|anruf|appel|llam|bel")})[^!?\\n\\d+]){0,30}\\d[\\d -]{5,30}\\d(?!\\p{L})`;
/** Words before and after the name of a street, in seven languages. */
const STREET_BEFORE = `(?<!\\p{L})${anyCase("via|viale|vicolo|corso|piazza|piazzale|largo|strada|contrada|località|calle|avenida|plaza|paseo|carretera|rue|avenue|boulevard|place|chemin|quai|allée|impasse|rua|praça|travessa|unter den|an der")}`;
const STREET_AFTER = anyCase(
  "street|st|road|rd|lane|walk|avenue|ave|drive|way|square|court|close|quay|terrace|hill|row|boulevard|blvd|park",
);
const STREET_COMPOUND = `\\p{L}{2,20}[ -]?${anyCase("stra(?:ß|ss)e|str\\.|weg|platz|gasse|allee|ufer|damm|markt|straat|laan|plein|kade|gracht")}`;
const STREET_NAME = `(?:[\\p{L}.'’-]{1,20} ){0,4}\\p{Lu}[\\p{L}.'’-]{0,30}`;
/** "Via Roma, 5", "Mill Lane 17", "Hauptstraße 12a". */
const STREET_AND_NUMBER = `(?:${STREET_BEFORE} ${STREET_NAME}|\\p{Lu}[\\p{L}'’-]{1,30} ${STREET_AFTER}\\.?|${STREET_COMPOUND}),? \\d{1,3}[a-z]?(?![\\p{L}\\p{N}/%])`;
/** "17 Mill Lane", "2045 W Grand Ave", "12, rue de la Paix". */
const NUMBER_AND_STREET = `(?<!\\p{N})\\d{1,5}[a-z]?,? (?:(?:\\p{Lu}[\\p{L}.'’-]{0,20} ){1,4}${STREET_AFTER}(?!\\p{L})|${anyCase("rue|avenue|boulevard|place|chemin|quai|allée|impasse")} \\p{L})`;
/** "38122 Trento" after a comma or at the beginning, "IP1 2AB", "1012 AB Amsterdam". */
const POSTAL_CODE = `(?:^|[,;:–-] ?)(?:\\p{Lu}{1,2}-)?\\d{4,5} (?!${anyCase(MONTHS)})\\p{Lu}\\p{Ll}|(?<![\\p{L}\\p{N}])(?:\\p{Lu}{1,2}\\d[\\p{Lu}\\d]? \\d\\p{Lu}{2}|\\d{4} \\p{Lu}{2} \\p{Lu})(?!\\p{N})|${anyCase("p\\.? ?o\\.? box|casella postale|postfach|apartado|boîte postale|postbus")} \\d`;
/** Signs and names of currencies, and words for no price, as alternatives of a pattern. */
export const CURRENCY = `\\p{Sc}|(?<!\\p{L})(?:eur|usd|chf|gbp|euros?|dollars?|dollari|dólares|francs?|franchi|franken|pounds?|cents?|centesimi|free|free of charge|gratis|gratuit[aeoi]s?|gratuitement|kostenlos|kostenfrei|no charge)(?!\\p{L})`;

/** Evidence by type; a type that is not here has none. */
export const EVIDENCE: Readonly<Partial<Record<QuestionType, Evidence>>> = {
  phone: {
    certain:
      /(?<![\p{L}\p{N}])(?:\+|00|\()?\d[\d ()/.-]{4,20}\d(?![\p{L}\p{N}%])|(?<!\p{L})(?:call|dial|ring|phone|tel|n[uú]m[eé]ro|number|telefon|chiam|compon|anruf|wähl|nummer|rufnummer|appel|llam|marqu|bel)\p{L}*:?[ .]\d{3,5}(?![\p{L}\p{N}%€.,])/iu,
    isRequired: true,
  },
  email: { certain: /[\p{L}\p{N}_-]@[\p{L}\p{N}]/u, isRequired: true },
  account: { certain: new RegExp(`${IBAN}|${NAMED_ACCOUNT}`, "u"), isRequired: true },
  address: {
    certain: new RegExp(`${STREET_AND_NUMBER}|${NUMBER_AND_STREET}|${POSTAL_CODE}|@|https?:|www\\.`, "u"),
    possible: /\p{N}/u,
    isRequired: true,
  },
  weight: { certain: new RegExp(WEIGHTS, "u"), isRequired: true },
  duration: {
    certain: pattern(`${A_DURATION}|24/7`),
    possible: pattern(`(?<!\\p{L})(?:${RELATIVE_TIMES}|${TIME_UNITS})(?!\\p{L})|\\p{N}`),
    isRequired: true,
  },
  time: {
    certain: pattern(`\\p{N}|(?<!\\p{L})(?:${MONTHS}|${WEEKDAYS})(?!\\p{L})|${A_DURATION}`),
    possible: pattern(`(?<!\\p{L})(?:${RELATIVE_TIMES}|${NUMBER_WORDS}|${TIME_UNITS})(?!\\p{L})`),
    isRequired: true,
  },
  percentage: {
    certain: /\p{N} ?%|(?<!\p{L})(?:per ?cent|per cento|por ciento|por cento|prozent|pour ?cent|procent)(?!\p{L})/iu,
    possible: /\p{N}/u,
    isRequired: true,
  },
  money: { certain: pattern(`\\p{N} ?%|${CURRENCY}`), possible: pattern(`${NUMBER}|${A_NUMBER}`), isRequired: true },
  quantity: { certain: pattern(NUMBER), possible: pattern(A_NUMBER), isRequired: true },
  person: { certain: /[\p{L}\p{N},;] +\p{Lu}\p{Ll}/u },
};

/** Whether a word in lower case is a number, in digits or in words. */
export function isNumber(text: string): boolean {
  return WHOLE_NUMBER.test(text);
}

function word(alternatives: string): string {
  return `(?<!\\p{L})(?:${alternatives})(?!\\p{L})`;
}

function pattern(source: string): RegExp {
  return new RegExp(source, "iu");
}

/**
 * A group of alternatives in any case. Not written as `(?i:…)`: once a process has compiled a lot of code, V8 compiles
 * patterns with such groups as if they did not ignore case.
 */
function anyCase(alternatives: string): string {
  const ignoringCase = alternatives.replaceAll(/\\p\{\w+\}|\\.|\p{L}/gu, (part) => {
    const [lower, upper] = [part.toLowerCase(), part.toUpperCase()];
    return part.length > 1 || upper.length > 1 ? part : `[${lower}${upper}]`;
  });
  return `(?:${ignoringCase})`;
}
