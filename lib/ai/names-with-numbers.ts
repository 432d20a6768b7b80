import { factsOf } from "./facts.ts";
import { CURRENCY, TIME_UNITS } from "./local/type-evidence.ts";

const UNITS = `${TIME_UNITS}|\\p{L}{0,15}(?:tage?n?|wochen?|monate?n?|jahre?n?|stunden?|minuten?)
  |per ?cent|percentage|per ?cento|por ?ci?ento|prozent|pour ?cent|procent|points?|stuks?|stück|punti|puntos?|punkte?|pontos?|punten
  |[kmg]?bit|[kmgt]i?b|[kmg]bit/s|[kmg]bps|mega(?:bytes?|bits?)?|giga(?:bytes?|bits?)?|kg|mg|km|cm|mm|m²|kwh?|watt|volt|hours?|h|min|sec`.replaceAll(
  /\n\s*/g,
  "",
);
/** Before a number they are names: "Unit 42". */
const COUNTED = "pieces?|pezz[io]|piezas?|pièces?|peças?|units?|unità|unidad(?:es)?|unités?";
/** "77 EUR", "50 %", "14 working days", "14-Tage-Frist". */
const BEFORE_UNIT = new RegExp(
  `\\p{N}[ \\u00a0-]?(?:[%‰°]|${CURRENCY}|(?:\\p{L}{1,12}[ -]){0,2}(?:${UNITS}|${COUNTED})(?!\\p{L}))`,
  "iu",
);
/** "EUR 77", "€77", "Tage: 14". */
const AFTER_UNIT = new RegExp(
  `(?:(?:[%‰]|${CURRENCY})[ \\u00a0:=-]{0,3}|(?<!\\p{L})(?:${UNITS})[ \\u00a0:=-]{1,3})\\p{N}`,
  "iu",
);
/** "77 points": a number before a word counts something, unlike "365" or "5G". */
const COUNTS = /^\W{0,3}\p{N}+(?:[.,]\p{N}+)* \p{L}/u;

/**
 * Whether a text of the context is a name with a number, such as "Fibra 1000", "5G" or "ID.4". An amount, a percentage,
 * a time or a date is not a name, however it is written.
 */
export function isNameWithNumber(text: string): boolean {
  if (!/\p{N}/u.test(text) || !/\p{L}/u.test(text) || factsOf(text).days.length > 0) return false;
  return !COUNTS.test(text) && !BEFORE_UNIT.test(text) && !AFTER_UNIT.test(text);
}
