import { RagstoneError } from "../errors.ts";
import { checkLabels } from "./check-labels.ts";
import { ingestRemotely } from "./ingest.ts";
import { metadataOf } from "./metadata-option.ts";
import { remoteClient } from "./remote-client.ts";
import { searchRemotely } from "./search.ts";
import { deleteRemotely, listRemotely } from "./source.ts";
import type { Outcome } from "./terminal.ts";
import { resolveExisting, resolveTyped } from "./walk-files.ts";

interface Values {
  audience?: string | undefined;
  metadata?: string[] | undefined;
  category?: string | undefined;
  path?: string | undefined;
  yes?: boolean | undefined;
  wait?: boolean | undefined;
  prune?: string | undefined;
  limit?: string | undefined;
  threshold?: string | undefined;
  rerank?: boolean | undefined;
  "source-id"?: string | undefined;
  json: boolean;
  help: boolean;
}

const HELP = `Usage: npx @ragstone/client <command>, with RAGSTONE_URL and RAGSTONE_API_KEY set

  ingest <files and folders…>  add them, and send only what changed; .jsonl, .csv and .xlsx are bulk files; hidden files
                 in a folder are skipped
      --audience <a,b> --category <c> --path <A/B>   labels
      --yes          allow existing sources to gain the audiences in rows of bulk files
      --no-wait      return when everything is accepted
      --prune <max>  delete all other sources, or none if they are more than this; ask: type their number
  search <question> [--limit <n>] [--threshold <x>] [--rerank] [--audience <a>]
      --metadata <key=value or JSON>  only sources with this metadata; may be repeated
  source list
  source delete --source-id <s>

  --json  print one JSON value`;

const COMMON_OPTIONS = ["json", "help"];
/** How many words each command takes after its name, and which options. */
const COMMANDS = new Map([
  ["ingest", { words: Number.POSITIVE_INFINITY, options: ["audience", "category", "path", "yes", "wait", "prune"] }],
  ["search", { words: 1, options: ["limit", "threshold", "rerank", "audience", "metadata"] }],
  ["source list", { words: 1, options: [] }],
  ["source delete", { words: 1, options: ["source-id"] }],
]);

/** Runs one command of the package. @throws {RagstoneError} */
export async function runCommand([command, ...words]: string[], values: Values): Promise<Outcome> {
  if (values.help || command === undefined) return { value: HELP, lines: [HELP] };
  const [first] = words;
  refuseSurplus(command === "source" ? `source ${first}` : command, words, values);
  if (command === "ingest" && first !== undefined) {
    const client = remoteClient();
    const paths = await resolveExisting(words, resolveTyped);
    return ingestRemotely(client, paths, {
      labels: labelsOf(values),
      widen: values.yes ?? false,
      wait: values.wait ?? true,
      prune: pruneOf(values.prune),
    });
  }
  if (command === "search" && first !== undefined) {
    return searchRemotely(remoteClient(), {
      queryText: first,
      limit: numberOf("--limit", values.limit),
      scoreThreshold: numberOf("--threshold", values.threshold),
      useRerank: values.rerank,
      filters: { audience: values.audience, metadata: metadataOf(values.metadata) },
    });
  }
  if (command === "source" && first === "list") return listRemotely(remoteClient());
  const sourceId = values["source-id"];
  if (command === "source" && first === "delete" && sourceId) return deleteRemotely(remoteClient(), sourceId);
  throw new RagstoneError(`The command is unknown or incomplete. See --help for the commands.`);
}

/** Refuses options of another command, and more words than the command takes. @throws {RagstoneError} */
function refuseSurplus(command: string, words: string[], values: Values): void {
  const known = COMMANDS.get(command);
  if (!known) return;
  const [surplus] = words.slice(known.words);
  if (surplus !== undefined) {
    throw new RagstoneError(`"${surplus}" is one word too many. Put quotes around a question or a path with spaces.`);
  }
  for (const [option, value] of Object.entries(values)) {
    if (value === undefined || COMMON_OPTIONS.includes(option) || known.options.includes(option)) continue;
    throw new RagstoneError(`"${command}" does not take --${option}. See --help for its options.`);
  }
}

/** The labels that the options name. @throws {RagstoneError} when the server would refuse them */
export function labelsOf({ audience, category, path }: Pick<Values, "audience" | "category" | "path">) {
  const labels = {
    audience: audience === undefined ? undefined : partsOf(audience, ","),
    contentCategory: category?.trim() || undefined,
    path: path === undefined ? undefined : partsOf(path, "/"),
  };
  checkLabels(labels);
  return labels;
}

/** The option `--prune`, with or without a number. @throws {RagstoneError} */
export function pruneOf(given: string | true | undefined): { max: number | undefined } | undefined {
  if (given === undefined) return undefined;
  if (given === true || given === "ask") return { max: undefined };
  if (!/^\d+$/.test(given)) throw new RagstoneError("--prune takes the maximum number of sources to delete.");
  return { max: Number(given) };
}

/** @throws {RagstoneError} */
export function numberOf(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given.trim() || Number.NaN);
  if (Number.isNaN(value)) throw new RagstoneError(`${option} must be a number.`);
  return value;
}

function partsOf(text: string, separator: string): string[] {
  return text.split(separator).flatMap((part) => part.trim() || []);
}
