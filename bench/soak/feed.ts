import { CLI_ACTOR } from "../../lib/audit/record.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { addSources } from "../../lib/knowledge/intake/add.ts";
import { sourceInput } from "../../lib/knowledge/intake/source-input.ts";
import { deleteSource, sourceByExternalId } from "../../lib/knowledge/service.ts";
import { documents } from "../corpus.ts";
import type { Random } from "./random.ts";
import { untilSearchable } from "./wait.ts";

/** Number of new, of changed and of deleted sources per round. */
const ROUND = 2;

/** Keeps changing the knowledge of a company. */
export interface Feed {
  /** Adds the first sources and waits until they are searchable. */
  begin(): Promise<void>;
  /** Runs one round: adds some sources, changes some and deletes the oldest. */
  change(): Promise<void>;
  /** Number of finished rounds. */
  rounds(): number;
}

/** Each source has one chunk. @param sources number of sources to keep */
export function createFeed(scope: TenantScope, random: Random, sources: number): Feed {
  let oldest = 0;
  let next = 0;
  let rounds = 0;
  const source = (index: number) => {
    const [text] = documents(1, random.between(1, 1_000_000_000));
    return sourceInput.parse({ ...text, sourceId: `doc-${index}`, audience: [index % 10 ? "ai_agent" : "copilot"] });
  };
  const add = (indices: number[]) => addSources(scope, CLI_ACTOR, indices.map(source));
  return {
    async begin() {
      next = sources;
      const accepted = await add(Array.from({ length: sources }, (_, index) => index));
      await untilSearchable(
        scope,
        accepted.map(({ versionId }) => versionId),
      );
    },
    async change() {
      const changed = Array.from({ length: ROUND }, () => random.between(oldest + ROUND, next - 1));
      await add([...new Set(changed)]);
      await add(Array.from({ length: ROUND }, () => next++));
      for (let i = 0; i < ROUND; i++) {
        const { id } = await sourceByExternalId(scope, CLI_ACTOR, `doc-${oldest++}`);
        await deleteSource(scope, CLI_ACTOR, id);
      }
      rounds++;
    },
    rounds: () => rounds,
  };
}
