import { type FilledCompany, filledCompany } from "../../lib/testing/filled-company.ts";
import type { Machine, Measured } from "./machine.ts";
import { withProduct } from "./product.ts";
import { keysOf, probeRequests } from "./tenant-requests.ts";
import { AUTH_SECRET } from "./tenant-send.ts";
import { discoverTargets } from "./tenant-targets.ts";

const SIZES = { full: { companies: 20, pairs: 60, probes: 6_000 }, short: { companies: 4, pairs: 4, probes: 800 } };
const WORD_LETTERS = 10;

/** Many companies in one database try to get each other's data. */
export const crowd: Machine = {
  about: `${SIZES.full.companies} companies request each other's data from every page, route, action and API operation`,
  run: ({ random, short, say }) =>
    withProduct({ variables: { AUTH_SECRET, LOG_LEVEL: "silent" } }, async ({ url }) => {
      const { companies: count, pairs, probes } = short ? SIZES.short : SIZES.full;
      const companies: FilledCompany[] = [];
      const word = () => String.fromCharCode(...Array.from({ length: WORD_LETTERS }, () => random.between(97, 122)));
      while (companies.length < count) companies.push(await filledCompany(word()));
      say(`${count} companies with data in every table`);
      const targets = await discoverTargets(url);
      const leaks: string[] = [];
      let sent = 0;
      for (let pair = 1; pair <= pairs; pair++) {
        const [company, victim] = [companies[pair % count], companies[(pair + random.between(1, count - 1)) % count]];
        if (!company || !victim) continue;
        const tokens = await keysOf(company, victim);
        const report = await probeRequests(url, { company, victim, targets, tokens, count: probes / pairs, random });
        sent += report.probes;
        leaks.push(...report.leaks);
        if (pair % 5 === 0) say(`${sent} probes, ${leaks.length} leaks`);
      }
      for (const leak of new Set(leaks)) say(leak);
      return [row(`${count} companies see and change only their own data`, sent, leaks)];
    }),
};

function row(promise: string, sent: number, leaks: string[]): Measured {
  return { promise, measured: `${leaks.length} of ${sent} probes`, kept: leaks.length === 0 };
}
