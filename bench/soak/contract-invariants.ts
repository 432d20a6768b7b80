import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { retrieveResponse } from "../../lib/retrieval/schema.ts";
import { type FuzzTarget, tokenFor } from "./contract-fuzz.ts";
import { validPath } from "./fuzz-request.ts";

interface Asked {
  results: z.output<typeof retrieveResponse>["results"];
  total: number;
  headers: Headers;
}

type Ask = (body: object) => Promise<Asked>;

/**
 * Returns a function that sends a retrieval with this key. It throws when the response is not OK.
 * @param reranks whether every retrieval has `useRerank`
 */
export function asker(url: string, token: string, reranks = false): Ask {
  return async (body) => {
    const response = await fetch(`${url}/v1/api/rag/retrieve`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ ...body, ...(reranks && { useRerank: true }) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    const { results, total } = retrieveResponse.parse(JSON.parse(text));
    return { results, total, headers: response.headers };
  };
}

/** The audience of the key with a policy. */
const AUDIENCE = "copilot";

type Invariant = (ask: Ask, queryText: string, at: number, askByPolicy: Ask) => Promise<boolean>;

/** Promises that hold for every question. Each check returns whether the promise holds. */
const INVARIANTS: Record<string, Invariant> = {
  "every question has results": async (ask, queryText) => (await ask({ queryText })).total > 0,
  "a higher limit only appends": async (ask, queryText, at) => {
    const limit = 1 + (at % 9);
    const [few, many] = await Promise.all([ask({ queryText, limit }), ask({ queryText, limit: 10 * limit })]);
    return isDeepStrictEqual(few.results, many.results.slice(0, few.total));
  },
  "a higher threshold only removes": async (ask, queryText) => {
    const all = await ask({ queryText, limit: 100 });
    const scoreThreshold = all.results[Math.floor(all.total / 2)]?.score ?? 0.5;
    const kept = await ask({ queryText, limit: 100, scoreThreshold });
    return isDeepStrictEqual(
      kept.results,
      all.results.filter(({ score }) => score >= scoreThreshold),
    );
  },
  "a filter keeps every result that passes it": async (ask, queryText) => {
    const filters = { audience: AUDIENCE };
    const [all, some] = await Promise.all([ask({ queryText, limit: 100 }), ask({ queryText, limit: 100, filters })]);
    const found = new Set(some.results.map(({ id }) => id));
    const passing = all.results.filter(({ payload }) => payload.audience.includes(AUDIENCE));
    return (
      passing.every(({ id }) => found.has(id) || some.total === 100) &&
      some.results.every(({ payload }) => payload.audience.includes(AUDIENCE))
    );
  },
  "a policy leaves the same results as its filter": async (ask, queryText, _at, askByPolicy) => {
    const [filtered, allowed] = await Promise.all([
      ask({ queryText, limit: 100, filters: { audience: AUDIENCE } }),
      askByPolicy({ queryText, limit: 100 }),
    ]);
    return filtered.total > 0 && isDeepStrictEqual(filtered.results, allowed.results);
  },
  "scores are from 0 to 1, in descending order": async (ask, queryText) => {
    const scores = (await ask({ queryText, limit: 100 })).results.map(({ score }) => score);
    return scores.every((score, at) => score >= 0 && score <= 1 && score <= (scores[at - 1] ?? 1));
  },
  "total is the number of results": async (ask, queryText, at) => {
    const { total, results } = await ask({ queryText, limit: 1 + (at % 100) });
    return total === results.length;
  },
  "null is the same as absent": async (ask, queryText) => {
    const absent = {
      filters: null,
      limit: null,
      scoreThreshold: null,
      returnMode: null,
      useRerank: null,
      clientName: null,
    };
    const [given, none] = await Promise.all([ask({ queryText, ...absent }), ask({ queryText })]);
    return isDeepStrictEqual(given.results, none.results);
  },
  "unknown fields are ignored and named": async (ask, queryText) => {
    const [odd, plain] = await Promise.all([ask({ queryText, limt: 3, companyId: "x" }), ask({ queryText })]);
    const named = odd.headers.get("x-ragstone-ignored-fields") ?? "";
    return isDeepStrictEqual(odd.results, plain.results) && named.includes("limt") && named.includes("companyId");
  },
  "the same request returns the same results": async (ask, queryText) => {
    const answers = await Promise.all([1, 2, 3].map(() => ask({ queryText, limit: 20 })));
    return answers.every(({ results }) => isDeepStrictEqual(results, answers[0]?.results));
  },
};

/** The number of questions that broke each invariant. Every second question is asked with `useRerank`. */
export async function brokenInvariants(target: FuzzTarget, questions: string[]): Promise<Record<string, number>> {
  const broken: Record<string, number> = {};
  for (const [name, holds] of Object.entries(INVARIANTS)) {
    broken[name] = 0;
    for (const [at, question] of questions.entries()) {
      const [ask, askByPolicy] = [target.token, target.copilotToken].map((token) =>
        asker(target.url, token, at % 2 === 1),
      );
      if (!ask || !askByPolicy || !(await holds(ask, question, at, askByPolicy))) broken[name]++;
    }
  }
  return broken;
}

/** How often `HEAD` differed from `GET` without its body, or an unsupported method did not get a correct 405. */
export async function brokenMethods(target: FuzzTarget): Promise<Record<string, number>> {
  const broken = { "HEAD follows GET": 0, "an unsupported method gets 405 with Allow": 0 };
  for (const operations of Map.groupBy(target.document.operations, ({ path }) => path).values()) {
    const [first] = operations;
    if (!first) continue;
    const url = target.url + validPath(target, first);
    const headers = { Authorization: `Bearer ${tokenFor(target, first)}` };
    const own = operations.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    if (own.includes("HEAD") && !(await headFollowsGet(url, headers))) broken["HEAD follows GET"]++;
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "POST"].filter((each) => !own.includes(each))) {
      const refused = await fetch(url, { method, headers });
      const allow = refused.headers.get("allow")?.split(", ") ?? [];
      if (refused.status !== 405 || !isDeepStrictEqual(new Set(allow), new Set([...own, "OPTIONS"])))
        broken["an unsupported method gets 405 with Allow"]++;
    }
  }
  return broken;
}

async function headFollowsGet(url: string, headers: Record<string, string>): Promise<boolean> {
  const [get, head] = await Promise.all([fetch(url, { headers }), fetch(url, { method: "HEAD", headers })]);
  // these headers belong to the connection, not to the response
  const names = (response: Response) =>
    [...response.headers.keys()].filter(
      (name) => !/^(connection|content-length|date|keep-alive|transfer-encoding)$/.test(name),
    );
  const same = head.status === get.status && isDeepStrictEqual(names(head), names(get));
  return same && (await head.text()) === "" && (await get.text()) !== "";
}
