import { normalize } from "../normalize.ts";

/** Numbers in words by value, in seven languages. Words with another meaning are left out: "one", Italian "sei". */
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
  [12, "twelve dozen dodici doce zwölf douze doze twaalf"],
  [14, "fourteen quattordici catorce vierzehn quatorze veertien"],
  [15, "fifteen quindici quince fünfzehn quinze vijftien"],
  [20, "twenty venti veinte zwanzig vingt vinte twintig"],
  [24, "twenty-four ventiquattro veinticuatro vierundzwanzig vierentwintig"],
  [30, "thirty trenta treinta dreißig trente trinta dertig"],
  [36, "thirty-six trentasei"],
  [40, "forty quaranta cuarenta vierzig quarante quarenta veertig"],
  [48, "forty-eight quarantotto"],
  [50, "fifty cinquanta cincuenta fünfzig cinquante cinquenta vijftig"],
  [60, "sixty sessanta sesenta sechzig soixante sessenta zestig"],
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

export function factsOf(text: string): Facts {
  return factsIn(withPlainDigits(text));
}

function factsIn(plain: string): Facts {
  const digits = [...plain.matchAll(NUMBER)].map(([number]) => readingsOf(number));
  const words = [...plain.matchAll(WORD)].map(([word]) => word);
  const spelled = words.flatMap((word) => {
    const value = VALUES.get(word.toLowerCase());
    return value === undefined ? [] : [[String(value)]];
  });
  // "may" and "mars" are months only with a capital letter
  const named = words.filter((word) => /^\p{Lu}/u.test(word) || !/^(?:may|mars|march)$/.test(word));
  return { numbers: [...digits, ...spelled], days: named.flatMap((word) => DAYS.get(word.toLowerCase()) ?? []) };
}

/** Numbers and days that can be read from the text, for comparison with a claim. */
export function readableFacts(text: string): { numbers: ReadonlySet<string>; days: ReadonlySet<number> } {
  const plain = withPlainDigits(text);
  const { numbers, days } = factsIn(plain);
  const months = days.filter((day) => day < MONTHS.length).map((month) => String(month + 1));
  const numeric = [...plain.matchAll(NUMERIC_DATE)].flatMap((found) =>
    found
      .slice(1)
      .map(Number)
      .filter((month) => month >= 1 && month <= MONTHS.length)
      .map((month) => month - 1),
  );
  return { numbers: new Set([...numbers.flat(), ...months]), days: new Set([...days, ...numeric]) };
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

function withPlainDigits(text: string): string {
  return normalize(text, "NFKC").replaceAll(OTHER_DIGIT, plainDigit);
}

/** Unicode has the digits of each script in a row from 0 to 9; one row may follow another. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}
