import { createParser } from "nuqs/server";
import { dayOf } from "../durations.ts";
import { pageNumber } from "../page.ts";
import { cleanText } from "../text.ts";

/** Maximum length of a question, which the playground's URL may contain. */
const TEXT_MAX = 8_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Text in a URL: characters that the database cannot store are replaced, and long text is cut. Empty text counts as no
 * value, because a field shows both alike.
 */
export const parseAsText = createParser({
  parse: (value) => cleanText(value.slice(0, TEXT_MAX)) || null,
  serialize: String,
});

/** A page number of a list, from 1. */
export const parseAsPage = createParser({ parse: pageNumber, serialize: String });

/** A day in UTC with a four-digit year, so that it compares with every date of the database. */
export const parseAsDay = createParser({
  parse(value) {
    const day = DAY.test(value) && !value.startsWith("0000") ? new Date(`${value}T00:00:00Z`) : null;
    return day && !Number.isNaN(day.getTime()) ? day : null;
  },
  serialize: dayOf,
  eq: (one, other) => one.getTime() === other.getTime(),
});
