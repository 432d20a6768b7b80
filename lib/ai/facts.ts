import { normalize } from "../normalize.ts";

/** Numbers in words by value, in seven languages. Words with another meaning are left out: "one", Italian "sei", French "seize". */
const NUMBER_WORDS: readonly (readonly [value: number, words: string])[] = [
  [2, "two due dos zwei deux dois duas twee"],
  [3, "three tre tres drei trois três drie"],
  [4, "four quattro cuatro vier quatre quatro"],
  [5, "five cinque cinco fünf cinq vijf"],
  [6, "six seis sechs zes"],
  [7, "seven sette siete sieben sept sete zeven"],
  [8, "eight otto ocho huit oito"],
  [9, "nine nove nueve neun negen"],
  [10, "ten dieci diez zehn dix dez tien"],
  [11, "eleven undici elf onze"],
  [12, "twelve dozen dodici doce zwölf douze doze twaalf"],
  [13, "thirteen tredici trece dreizehn treize treze dertien"],
  [14, "fourteen quattordici catorce vierzehn quatorze veertien"],
  [15, "fifteen quindici quince fünfzehn quinze vijftien"],
  [16, "sixteen sedici dieciséis sechzehn dezesseis dezasseis zestien"],
  [17, "seventeen diciassette diecisiete siebzehn dix-sept dezessete dezassete zeventien"],
  [18, "eighteen diciotto dieciocho achtzehn dix-huit dezoito achttien"],
  [19, "nineteen diciannove diecinueve neunzehn dix-neuf dezenove dezanove negentien"],
  [20, "twenty venti veinte zwanzig vingt vinte twintig"],
  [24, "twenty-four ventiquattro veinticuatro vierundzwanzig vierentwintig"],
  [25, "twenty-five venticinque veinticinco fünfundzwanzig vingt-cinq vijfentwintig"],
  [30, "thirty trenta treinta dreißig trente trinta dertig"],
  [36, "thirty-six trentasei"],
  [40, "forty quaranta cuarenta vierzig quarante quarenta veertig"],
  [45, "forty-five quarantacinque fünfundvierzig quarante-cinq vijfenveertig"],
  [48, "forty-eight quarantotto"],
  [50, "fifty cinquanta cincuenta fünfzig cinquante cinquenta vijftig"],
  [60, "sixty sessanta sesenta sechzig soixante sessenta zestig"],
  [70, "seventy settanta setenta siebzig soixante-dix zeventig"],
  [80, "eighty ottanta ochenta achtzig quatre-vingt quatre-vingts oitenta tachtig"],
  [90, "ninety novanta noventa neunzig negentig"],
  [100, "hundred cento cien ciento hundert cent cem honderd"],
  [1000, "thousand mille mil tausend duizend"],
];
const MONTHS = [
  "january gennaio enero januar janvier janeiro januari",
  "february febbraio febrero februar février fevereiro februari",
  "march marzo märz mars março maart",
  "april aprile abril avril",
  "may maggio mayo mai maio mei",
  "june giugno junio juni juin junho",
  "july luglio julio juli juillet julho",
  "august agosto août augustus",
  "september settembre septiembre septembre setembro",
  "october ottobre octubre oktober octobre outubro",
  "november novembre noviembre novembro",
  "december dicembre diciembre dezember décembre dezembro",
];
const WEEKDAYS = [
  "monday lunedì lunes montag lundi maandag",
  "tuesday martedì martes dienstag mardi dinsdag",
  "wednesday mercoledì miércoles mittwoch mercredi woensdag",
  "thursday giovedì jueves donnerstag jeudi donderdag",
  "friday venerdì viernes freitag vendredi vrijdag",
  "saturday sabato sábado samstag samedi zaterdag",
  "sunday domenica domingo sonntag dimanche zondag",
];

const VALUES = new Map(
  NUMBER_WORDS.flatMap(([value, words]) => words.split(" ").map((word) => [word, value] as const)),
);
const DAYS = new Map(
  [...MONTHS, ...WEEKDAYS].flatMap((words, index) => words.split(" ").map((word) => [word, index] as const)),
);
/** Arabic separators, which mean only one thing each. */
const ARABIC = { decimal: "\u066b", thousands: "\u066c" };
const NUMBER = /\d+(?:[.,\u066b\u066c]\d+)*/g;
const OTHER_DIGIT = /(?!\d)\p{Nd}/gu;
/** Between groups of three digits: always part of a number. */
const NARROW_SPACE = /(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))/g;
const SPACED_NUMBER = String.raw`(?<![\d.,])\d{1,3}(?: \d{3}){1,5}(?:[.,]\d+)?(?!\d)`;
/** "1 500", which may also be two numbers in a row. */
const SPACED = new RegExp(SPACED_NUMBER, "g");
const MONEY = String.raw`(?:\p{Sc}|(?<!\p{L})(?:eur|usd|chf|gbp|euros?|dollars?|francs?|franken)(?!\p{L}))`;
/** "1 500 €" or "EUR 1 500", which is one number. */
const SPACED_AMOUNT = new RegExp(`(?<=${MONEY} ?)${SPACED_NUMBER}|${SPACED_NUMBER}(?= ?${MONEY})`, "giu");
/** The full hour in "9:00" and "9h00". */
const FULL_HOUR = /(?<=(?<!\d)\d{1,2})(?::|h)00(?![\d:])/gi;
const AFTERNOON = /^(?::\d\d)? ?p\.?m\b/i;
const AFTERNOON_LENGTH = 8;
const THOUSANDS = /^\d{1,3}(?:[.,]\d{3})+$/;
/** "1,500.50": the last separator is that of the decimals. */
const MIXED = /^\d{1,3}(?:,\d{3})+(\.)\d+$|^\d{1,3}(?:\.\d{3})+(,)\d+$/;
const WORD = /\p{L}+(?:-\p{L}+)*/gu;
/** Captures what may be the month: 2025-12-31, 31.12.2025, and both parts of 12/31/2025 or 31/12/2025. */
const NUMERIC_DATE =
  /(?<!\d)(?:\d{4}-(\d{1,2})-\d{1,2}|\d{1,2}\.(\d{1,2})\.\d{2,4}|(\d{1,2})\/(\d{1,2})\/\d{2,4})(?!\d)/g;

/** Numbers and dates that a text states, comparable between notations and languages. */
interface Facts {
  /** Each number with all its readings: "1.500" is 1500 or 1.5. */
  numbers: string[][];
  /** Months from 0 to 11, weekdays from 12 to 18. */
  days: number[];
}

/** What a claim states. An amount such as "1 500 €" is one number. */
export function factsOf(text: string): Facts {
  return factsIn(plainText(text).replaceAll(SPACED_AMOUNT, withoutSpaces));
}

function factsIn(plain: string): Facts {
  const digits = [...plain.matchAll(NUMBER)].map(({ 0: number, index }) => {
    const readings = readingsOf(number);
    return isAfternoonHour(plain, number, index) ? [...readings, String(Number(number) + 12)] : readings;
  });
  const words = [...plain.matchAll(WORD)].map(([word]) => word);
  const spelled = words.flatMap((word) => {
    const value = VALUES.get(word.toLowerCase());
    return value === undefined ? [] : [[String(value)]];
  });
  // "may" and "mars" are months only with a capital letter
  const named = words.filter((word) => /^\p{Lu}/u.test(word) || !/^(?:may|mars|march)$/.test(word));
  return { numbers: [...digits, ...spelled], days: named.flatMap((word) => DAYS.get(word.toLowerCase()) ?? []) };
}

/** Numbers and days that can be read from the text, for comparison with a claim. "1 500" is 1500, or 1 and 500. */
export function readableFacts(text: string): { numbers: ReadonlySet<string>; days: ReadonlySet<number> } {
  const plain = plainText(text);
  const { numbers, days } = factsIn(plain);
  const spaced = (plain.match(SPACED) ?? []).flatMap((number) => readingsOf(withoutSpaces(number)));
  const months = days.filter((day) => day < MONTHS.length).map((month) => String(month + 1));
  const numeric = [...plain.matchAll(NUMERIC_DATE)].flatMap((found) =>
    found
      .slice(1)
      .map(Number)
      .filter((month) => month >= 1 && month <= MONTHS.length)
      .map((month) => month - 1),
  );
  return { numbers: new Set([...numbers.flat(), ...spaced, ...months]), days: new Set([...days, ...numeric]) };
}

/** Whether a number is the hour in "5 pm" or "5:30 p.m.". */
function isAfternoonHour(plain: string, number: string, index: number): boolean {
  if (!/^0?[1-9]$|^1[01]$/.test(number) || plain[index - 1] === ":") return false;
  const end = index + number.length;
  return AFTERNOON.test(plain.slice(end, end + AFTERNOON_LENGTH));
}

function withoutSpaces(number: string): string {
  return number.replaceAll(" ", "");
}

function readingsOf(written: string): string[] {
  const number = written.replaceAll(ARABIC.thousands, "");
  const [whole = "", decimals, ...more] = number.split(ARABIC.decimal);
  if (decimals !== undefined && more.length === 0) return [canonical(`${whole.replaceAll(/[.,]/g, "")}.${decimals}`)];
  if (more.length > 0) return number.split(/[.,\u066b]/).map(canonical);
  const decimal = MIXED.exec(number)?.slice(1).find(Boolean);
  if (decimal !== undefined) return [canonical(number.replaceAll(decimal === "." ? "," : ".", ""))];
  const grouped = THOUSANDS.test(number) ? [number.replaceAll(/[.,]/g, "")] : [];
  if (/^\d+[.,]\d+$/.test(number)) return [...grouped, number].map(canonical);
  return (grouped.length > 0 ? grouped : number.split(/[.,]/)).map(canonical);
}

/** As text, because numbers above 2^53 are not exact. */
function canonical(number: string): string {
  const [whole = "", decimals = ""] = number.split(/[.,]/);
  const units = whole.replace(/^0+(?=\d)/, "");
  // the lookbehind keeps the time linear
  const parts = decimals.replace(/(?<!0)0+$/, "");
  return parts === "" ? units : `${units}.${parts}`;
}

/** With ASCII digits, and numbers written as one word. */
function plainText(text: string): string {
  const joined = text.replaceAll(NARROW_SPACE, "");
  return normalize(joined, "NFKC").replaceAll(OTHER_DIGIT, plainDigit).replaceAll(FULL_HOUR, "");
}

/** Unicode has the digits of each script in a row from 0 to 9; one row may follow another. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}
