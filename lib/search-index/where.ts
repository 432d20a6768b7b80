import { type SQL, sql } from "drizzle-orm";
import { containsPattern, endsWithPattern, startsWithPattern, textArray } from "../db/sql.ts";
import { type Condition, metadataKey, type Scalar, type Where } from "./condition.ts";

/** How a query names the tables `sources` and `source_versions`: `sql`s``, `sql`${sources}`` or `sql.identifier("s")`. */
export interface TableNames {
  source: SQL;
  version: SQL;
}

/**
 * The SQL of a condition tree; true or false, never null. Types are strict: the text "5" is not the number 5. A list
 * matches when any of its elements does. A missing field (absent, null or an empty list) matches only `notExists`, so
 * `ne`, `nin` and `notContains` match sources that have the field and not the value.
 */
export function compileWhere(where: Where, tables: TableNames): SQL {
  if ("and" in where) return joined(where.and, sql` and `, tables);
  if ("or" in where) return joined(where.or, sql` or `, tables);
  if ("not" in where) return sql`not ${compileWhere(where.not, tables)}`;
  return compileCondition(where, storedValue(where.field, tables));
}

function joined(members: Where[], operator: SQL, tables: TableNames): SQL {
  return sql`(${sql.join(
    members.map((each) => compileWhere(each, tables)),
    operator,
  )})`;
}

/** The field as jsonb; null when it is missing. */
function storedValue(field: string, { source, version }: TableNames): SQL {
  switch (field) {
    case "sourceId":
      return sql`to_jsonb(${source}.source_id)`;
    case "title":
      return sql`to_jsonb(${version}.title)`;
    case "sourceType":
      return sql`to_jsonb(${version}.source_type)`;
    case "audience":
      return sql`to_jsonb(${version}.audience)`;
    case "contentCategory":
      return sql`to_jsonb(${version}.content_category)`;
    case "path":
      return sql`to_jsonb(nullif(array_to_string(${version}.path, '/'), ''))`;
    case "fileName":
      // only versions with an original have a file name, and the bodies of others may be megabytes long
      return sql`case when ${version}.storage_key is not null then ${version}.body -> 'fileName' end`;
    default:
      return sql`(${version}.metadata -> ${metadataKey(field)}::text)`;
  }
}

const COMPARISONS = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=`, before: sql`<`, after: sql`>` };
const PATTERNS = {
  contains: containsPattern,
  startsWith: startsWithPattern,
  endsWith: endsWithPattern,
};

function compileCondition(condition: Condition, stored: SQL): SQL {
  switch (condition.op) {
    case "exists":
      return exists(stored);
    case "notExists":
      return sql`not ${exists(stored)}`;
    case "eq":
      return isAnyOf(stored, [condition.value]);
    case "ne":
      return existsWithout(stored, isAnyOf(stored, [condition.value]));
    case "in":
      return isAnyOf(stored, condition.value);
    case "nin":
      return existsWithout(stored, isAnyOf(stored, condition.value));
    case "contains":
    case "startsWith":
    case "endsWith":
      return isLike(stored, PATTERNS[condition.op](condition.value));
    case "notContains":
      return existsWithout(stored, isLike(stored, containsPattern(condition.value)));
    case "before":
    case "after": {
      const limit = sql`${COMPARISONS[condition.op]} ${condition.value}::timestamptz`;
      return someElement(stored, (element) => sql`ragstone.instant_or_null(${element}) ${limit}`);
    }
    default: {
      const limit = sql`${COMPARISONS[condition.op]} ${JSON.stringify(condition.value)}::text::jsonb`;
      return someElement(stored, (element) => sql`jsonb_typeof(${element}) = 'number' and ${element} ${limit}`);
    }
  }
}

function exists(stored: SQL): SQL {
  return sql`(coalesce(${stored}, 'null') not in ('null'::jsonb, '[]'::jsonb))`;
}

function existsWithout(stored: SQL, test: SQL): SQL {
  return sql`(${exists(stored)} and not ${test})`;
}

function isLike(stored: SQL, pattern: string): SQL {
  return someElement(
    stored,
    (element) => sql`jsonb_typeof(${element}) = 'string' and ${element} #>> '{}' like ${pattern}`,
  );
}

/** A list contains a value that is one of its elements, and a scalar contains itself. */
function isAnyOf(stored: SQL, values: Scalar[]): SQL {
  return sql`coalesce(${stored} @> any(${textArray(values.map((value) => JSON.stringify(value)))}::jsonb[]), false)`;
}

/** Whether the value, or an element of a list, meets the test. */
function someElement(stored: SQL, test: (element: SQL) => SQL): SQL {
  // most values are not lists, and unnesting takes longer than the test
  return sql`case jsonb_typeof(${stored})
    when 'array' then exists (select from jsonb_array_elements(${stored}) as item (value) where ${test(sql`item.value`)})
    else coalesce(${test(stored)}, false) end`;
}
