import type { FilledCompany } from "../../lib/testing/filled-company.ts";
import type { Machine, Measured } from "./machine.ts";
import { addFilled, withProduct } from "./product.ts";
import { keysOf } from "./tenant-keys.ts";
import { reachTargets } from "./tenant-reach.ts";
import { probeRequests } from "./tenant-requests.ts";
import { AUTH_SECRET } from "./tenant-send.ts";
import { discoverTargets } from "./tenant-targets.ts";

const SIZES = { full: { companies: 20, pairs: 60, probes: 6_000 }, short: { companies: 4, pairs: 4, probes: 800 } };
/** Letters of the shortest word. Identifiers of sources contain the length, so every word has another one. */
const WORD_LETTERS = 6;

/** Many companies in one database try to get each other's data. */
export const crowd: Machine = {
  about: `${SIZES.full.companies} companies request each other's data from every page, route, action and API operation`,
  run: ({ random, short, say }) =>
    withProduct({ variables: { AUTH_SECRET, LOG_LEVEL: "silent" } }, async (product) => {
      const { url } = product;
      const { companies: count, pairs, probes } = short ? SIZES.short : SIZES.full;
      const companies: FilledCompany[] = [];
      const word = (length: number) => String.fromCharCode(...Array.from({ length }, () => random.between(97, 122)));
      const added = () => addFilled(product, word(WORD_LETTERS + companies.length));
      while (companies.length < count) companies.push(await added());
      say(`${count} companies with data in every table`);
      const targets = await discoverTargets(url);
      const tried = await added();
      const { fitting, missed } = await reachTargets(url, tried, { targets, tokens: await keysOf(tried, tried) });
      const leaks: string[] = [];
      let sent = 0;
      for (let pair = 1; pair <= pairs; pair++) {
        const [company, victim] = [companies[pair % count], companies[(pair + random.between(1, count - 1)) % count]];
        if (!company || !victim) continue;
        const tokens = await keysOf(company, victim);
        const attack = { company, victim, targets, tokens, fitting, count: probes / pairs, random };
        const report = await probeRequests(url, attack);
        sent += report.probes;
        leaks.push(...report.leaks);
        if (pair % 5 === 0) say(`${sent} probes, ${leaks.length} leaks`);
      }
      for (const line of new Set([...leaks, ...missed])) say(line);
      return [
        row(`${count} companies see and change only their own data`, leaks, `${sent} probes`),
        row("every target accepts the company's own ids", missed, `${targets.length} targets`),
      ];
    }),
};

function row(promise: string, broken: string[], all: string): Measured {
  return { promise, measured: `${broken.length} of ${all}`, kept: broken.length === 0 };
}
