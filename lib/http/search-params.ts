import { createParser } from "nuqs/server";
import { pageNumber } from "../page-number.ts";
import { cleanText } from "../text.ts";

/** The longest question, which the playground's address may hold. */
const TEXT_MAX = 8_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Text of an address; what the database could not hold is replaced, what is longer is cut. */
export const parseAsText = createParser({
  parse: (value) => cleanText(value.slice(0, TEXT_MAX)),
  serialize: String,
});

/** A page of a list, from 1. */
export const parseAsPage = createParser({ parse: pageNumber, serialize: String });

/** A day of UTC in the four-digit years, which every date of the database can be compared with. */
export const parseAsDay = createParser({
  parse(value) {
    const day = DAY.test(value) && !value.startsWith("0000") ? new Date(`${value}T00:00:00Z`) : null;
    return day && !Number.isNaN(day.getTime()) ? day : null;
  },
  serialize: (day: Date) => day.toISOString().slice(0, 10),
  eq: (one, other) => one.getTime() === other.getTime(),
});
