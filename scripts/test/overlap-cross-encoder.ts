import { copyFile, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundledModelDir } from "../../lib/ai/local/bundled-model.ts";
import { OnnxGraph } from "../model/onnx-writer.ts";

const FLOAT = 1;
const OPSET = 17;
/** [SEP] stands in both texts of every pair. */
const ALWAYS_SHARED = 1;

/**
 * Writes a model folder with the smallest cross-encoder: its logit is the number of pairs of equal tokens in question and
 * document.
 * @param outputs numbers for each pair; only 1 is usable
 * @returns the folder, which the caller removes
 */
export async function writeOverlapCrossEncoder({ outputs = 1 }: { outputs?: number } = {}): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "cross-encoder-"));
  await copyFile(path.join(bundledModelDir(), "tokenizer.json"), path.join(folder, "tokenizer.json"));
  await writeFile(path.join(folder, "model.onnx"), overlapGraph(outputs));
  return folder;
}

function overlapGraph(outputs: number): Buffer {
  const graph = new OnnxGraph("overlap");
  const [rows, columns] = [graph.integers(1), graph.integers(2)];
  const float = (name: string) => graph.node("Cast", [name], { to: FLOAT });
  const second = float("token_type_ids");
  const first = graph.node("Sub", [float("attention_mask"), second]);
  const equal = float(
    graph.node("Equal", [
      graph.node("Unsqueeze", ["input_ids", columns]),
      graph.node("Unsqueeze", ["input_ids", rows]),
    ]),
  );
  const ofFirst = graph.node("Mul", [equal, graph.node("Unsqueeze", [first, columns])]);
  const ofBoth = graph.node("Mul", [ofFirst, graph.node("Unsqueeze", [second, rows])]);
  const shared = graph.node("ReduceSum", [ofBoth, graph.integers(1, 2)], { keepdims: 0 });
  const logit = graph.node("Sub", [shared, graph.float(ALWAYS_SHARED)]);
  const column = graph.node("Unsqueeze", [logit, rows]);
  graph.node("Concat", new Array<string>(outputs).fill(column), { axis: 1 }, "logits");
  const input = (name: string) => ({ name, type: "int64" as const, shape: ["batch", "sequence"] });
  return graph.toModel(OPSET, ["input_ids", "attention_mask", "token_type_ids"].map(input), [
    { name: "logits", type: "float32", shape: ["batch", outputs] },
  ]);
}
