import { z } from "zod";
import type { Random } from "./random.ts";

/** Values of one company that requests may name. */
export interface CompanyValues {
  /** Ids of sources and chunks. */
  id: string[];
  /** The company's own identifiers of its sources. */
  sourceId: string[];
  /** Ids of sources and uploads in the form of OpenAI. */
  file: string[];
  store: string[];
  /** Values of `If-Match`. */
  version: string[];
}

/** The kind of value that a field or parameter has, by its name. */
const KINDS = new Map<string, keyof CompanyValues>([
  ["id", "id"],
  ["ids", "id"],
  ["sourceId", "sourceId"],
  ["sourceIds", "sourceId"],
  ["except", "sourceId"],
  ["fileId", "file"],
  ["file_id", "file"],
  ["after", "file"],
  ["before", "file"],
  ["storeId", "store"],
  ["If-Match", "version"],
]);
/** The newest ids are kept, so that a long run does not name only deleted sources. */
const KEPT = 60;
/** Unknown identifiers would add sources without end, and a header cannot hold every text. */
const WITH_UNKNOWN: readonly (keyof CompanyValues)[] = ["id", "file", "store"];
const FOREIGN_SHARE = 0.15;
const UNKNOWN_SHARE = 0.1;

const named = z.object({ id: z.string(), versionId: z.string().optional() });

/** What requests name: values of the company that sends them, of another company, and of nobody. */
export class KnownValues {
  readonly #own: CompanyValues;
  readonly #foreign: CompanyValues;

  constructor(own: CompanyValues, foreign: CompanyValues) {
    this.#own = own;
    this.#foreign = foreign;
  }

  /** A value for this field or parameter; undefined for other names, and sometimes for an id that nobody has. */
  pick(name: string, random: Random): string | undefined {
    const kind = KINDS.get(name);
    if (!kind) return undefined;
    const share = random.next();
    if (share < UNKNOWN_SHARE && WITH_UNKNOWN.includes(kind)) return undefined;
    const values = (share < UNKNOWN_SHARE + FOREIGN_SHARE ? this.#foreign : this.#own)[kind];
    return values[random.between(0, values.length - 1)];
  }

  /** Keeps the ids in a response to the company, for later requests. */
  keepIds(response: unknown): void {
    const { id, versionId } = named.safeParse(response).data ?? {};
    if (id?.startsWith("file-")) keep(this.#own.file, id);
    else if (id && versionId) keep(this.#own.id, id);
    if (versionId) keep(this.#own.version, `"${versionId}"`);
  }
}

function keep(values: string[], value: string): void {
  if (values.includes(value)) return;
  values.push(value);
  if (values.length > KEPT) values.shift();
}
