import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { bundledModelDir } from "../../lib/ai/local/bundled-model.ts";
import { WORD_DIMENSIONS } from "../../lib/ai/local/word-closeness.ts";
import { embedTexts } from "../../lib/ai/models.ts";
import { mainDirections, project } from "./main-directions.ts";

const tokenizerFile = z.object({ model: z.object({ vocab: z.record(z.string(), z.int()) }) });

/** Makes `words.bin` from the bundled model: the main directions of the vectors of the words in its vocabulary. */
async function main(): Promise<void> {
  const tokenizer = await readFile(path.join(bundledModelDir(), "tokenizer.json"), "utf8");
  const { model } = tokenizerFile.parse(JSON.parse(tokenizer));
  const words = Object.keys(model.vocab).filter((entry) => /^[a-z]{2,}$/.test(entry));
  const vectors = centred(await embedTexts(words));
  const directions = mainDirections(vectors, WORD_DIMENSIONS);
  const values = vectors.flatMap((vector) => toBytes(project(vector, directions)));
  const file = path.join(bundledModelDir(), "words.bin");
  await writeFile(file, Buffer.concat([Buffer.from(`${words.join("\n")}\0`), Buffer.from(Int8Array.from(values))]));
  console.log(`${words.length} words in ${file}`);
}

/** The vectors without their mean, which says nothing about a word. */
function centred(vectors: number[][]): number[][] {
  const size = vectors[0]?.length ?? 0;
  const mean = Array.from({ length: size }, (_, column) => {
    return vectors.reduce((sum, vector) => sum + (vector[column] ?? 0), 0) / vectors.length;
  });
  return vectors.map((vector) => vector.map((value, column) => value - (mean[column] ?? 0)));
}

/** A vector of length 127, in whole numbers. */
function toBytes(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => Math.round((127 * value) / length));
}

await main();
