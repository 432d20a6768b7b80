import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { bundledModelDir } from "./bundled-model.ts";
import { type ModelUse, unusableModelError } from "./local-model-error.ts";

interface ModelFolder {
  /** Stored with every vector, so different models have different ids. */
  id: string;
  dir: string;
  graph: string;
  /** Tokens of a text that are read, including the special tokens. */
  windowTokens: number;
  pooling: "mean" | "cls";
}

const DEFAULT_WINDOW_TOKENS = 256;
const HASH_BLOCK_BYTES = 1 << 20;

const Settings = z.object({ max_seq_length: z.int().min(8).nullish() });
const Pooling = z.object({ pooling_mode_cls_token: z.boolean().default(false) });

/**
 * Opens a sentence-transformers export: model.onnx and tokenizer.json and, where they exist, sentence_bert_config.json
 * (window) and 1_Pooling/config.json.
 * @throws LocalModelError
 */
export function openModelFolder(modelDir: string, use: ModelUse = "embedding"): ModelFolder {
  const dir = path.resolve(modelDir);
  const graph = path.join(dir, "model.onnx");
  for (const file of [graph, path.join(dir, "tokenizer.json")]) {
    if (!existsSync(/* turbopackIgnore: true */ file)) throw unusableModelError(dir, `${file} does not exist`, { use });
  }
  const settings = readSettings(path.join(dir, "sentence_bert_config.json"), Settings);
  const pooling = readSettings(path.join(dir, "1_Pooling", "config.json"), Pooling);
  return {
    id: dir === bundledModelDir() ? `local/${path.basename(dir)}` : `local/${path.basename(dir)}@${fingerprint(graph)}`,
    dir,
    graph,
    windowTokens: settings?.max_seq_length ?? DEFAULT_WINDOW_TOKENS,
    pooling: pooling?.pooling_mode_cls_token ? "cls" : "mean",
  };
}

function readSettings<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> | null {
  if (!existsSync(file)) return null;
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw unusableModelError(path.dirname(file), `${file} cannot be read`, { cause: error });
  }
}

/** The start of a file's SHA-256, read block by block because the file may be larger than memory. */
function fingerprint(file: string): string {
  const hash = createHash("sha256");
  const block = Buffer.alloc(HASH_BLOCK_BYTES);
  const descriptor = openSync(file, "r");
  try {
    for (let read = readSync(descriptor, block); read > 0; read = readSync(descriptor, block)) {
      hash.update(block.subarray(0, read));
    }
  } finally {
    closeSync(descriptor);
  }
  return hash.digest("hex").slice(0, 12);
}
