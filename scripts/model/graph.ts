import { fp32Layers, int8Layers } from "./matrix-layers.ts";
import { OnnxGraph } from "./onnx-writer.ts";
import { dequantize, type Weight } from "./tfjs-weights.ts";

type Precision = "int8" | "fp32";
/** Finds the only weight whose name ends with `ending`. */
type FindWeight = (ending: string) => Weight;

const OPSET = 21;
const LAYERS = 6;
const HEADS = 12;
const HEAD_SIZE = 32;
const HIDDEN_SIZE = HEADS * HEAD_SIZE;
const LAYER_NORM_EPSILON = 1e-12;
const MASKED_SCORE = -10_000;

/**
 * Builds the model file of all-MiniLM-L6-v2, a BERT of six layers with mean pooling and L2 normalization.
 * Inputs: `input_ids` and `attention_mask` [batch, sequence]. Output: `sentence_embedding` [batch, 384].
 */
export function buildMiniLm(find: FindWeight, precision: Precision): Buffer {
  const graph = new OnnxGraph("all-MiniLM-L6-v2");
  const shape = graph.node("Shape", ["input_ids"]);
  const mask = graph.node("Cast", ["attention_mask"], { to: 1 });
  const bert = bertLayers(graph, find, { precision, shape, mask });

  let tokens = bert.embed();
  for (let layer = 0; layer < LAYERS; layer += 1) {
    tokens = bert.attend(tokens, `layer_._${layer}/attention`);
    tokens = bert.feedForward(tokens, `layer_._${layer}`);
  }
  const texts = graph.node("Reshape", [tokens, join(graph, shape, HIDDEN_SIZE)]);
  const counted = graph.node("Mul", [texts, graph.node("Unsqueeze", [mask, graph.integers(2)])]);
  const sum = graph.node("ReduceSum", [counted, graph.integers(1)], { keepdims: 0 });
  const count = graph.node("ReduceSum", [mask, graph.integers(1)], { keepdims: 1 });
  graph.node("LpNormalization", [graph.node("Div", [sum, count])], { axis: -1, p: 2 }, "sentence_embedding");

  return graph.toModel(
    OPSET,
    [
      { name: "input_ids", type: "int64", shape: ["batch", "sequence"] },
      { name: "attention_mask", type: "int64", shape: ["batch", "sequence"] },
    ],
    [{ name: "sentence_embedding", type: "float32", shape: ["batch", HIDDEN_SIZE] }],
  );
}

interface Batch {
  precision: Precision;
  /** [batch, sequence] */
  shape: string;
  /** 1 for a token, 0 for padding: [batch, sequence] */
  mask: string;
}

/** The parts of BERT. They pass the tokens of all texts as the rows of one matrix: [batch · sequence, HIDDEN_SIZE]. */
function bertLayers(graph: OnnxGraph, find: FindWeight, { precision, shape, mask }: Batch) {
  const { lookUp, linear } = precision === "int8" ? int8Layers(graph) : fp32Layers(graph);
  const asRows = graph.integers(-1, HIDDEN_SIZE);
  const asHeads = join(graph, shape, HEADS, HEAD_SIZE);
  const padding = graph.node("Sub", [graph.float(1), graph.node("Unsqueeze", [mask, graph.integers(1, 2)])]);
  const maskScores = graph.node("Mul", [padding, graph.float(MASKED_SCORE)]);

  function dense(tokens: string, name: string): string {
    return linear(tokens, find(`${name}/Tensordot/ReadVariableOp`), find(`${name}/BiasAdd/ReadVariableOp`));
  }

  function addAndNorm(tokens: string, residual: string, name: string): string {
    const gamma = graph.floats(dequantize(find(`${name}/LayerNorm/batchnorm/mul/ReadVariableOp`)));
    const beta = graph.floats(dequantize(find(`${name}/LayerNorm/batchnorm/ReadVariableOp`)));
    const attributes = { axis: -1, epsilon: { float: LAYER_NORM_EPSILON } };
    return graph.node("LayerNormalization", [graph.node("Add", [tokens, residual]), gamma, beta], attributes);
  }

  function embed(): string {
    const words = lookUp(find("unknown"), "input_ids");
    const table = positionTable(find("unknown_0"), find("unknown_1"));
    const first = graph.integers(0);
    const length = graph.node("Slice", [shape, graph.integers(1), graph.integers(2)]);
    const positions = graph.node("Slice", [
      graph.floats(table, [table.length / HIDDEN_SIZE, HIDDEN_SIZE]),
      first,
      length,
      first,
    ]);
    return graph.node("Reshape", [addAndNorm(words, positions, "embeddings"), asRows]);
  }

  function attend(tokens: string, name: string): string {
    const heads = (part: string, perm: readonly number[]) =>
      graph.node("Transpose", [graph.node("Reshape", [dense(tokens, `${name}/self/${part}`), asHeads])], { perm });
    const products = graph.node("MatMul", [heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1])]);
    const scores = graph.node("Mul", [products, graph.float(1 / Math.sqrt(HEAD_SIZE))]);
    const attention = graph.node("Softmax", [graph.node("Add", [scores, maskScores])], { axis: -1 });
    const context = graph.node("MatMul", [attention, heads("value", [0, 2, 1, 3])]);
    const rows = graph.node("Reshape", [graph.node("Transpose", [context], { perm: [0, 2, 1, 3] }), asRows]);
    return addAndNorm(dense(rows, `${name}/output/dense`), tokens, `${name}/output`);
  }

  function feedForward(tokens: string, name: string): string {
    const hidden = graph.node("Gelu", [dense(tokens, `${name}/intermediate/dense`)]);
    return addAndNorm(dense(hidden, `${name}/output/dense`), tokens, `${name}/output`);
  }

  return { embed, attend, feedForward };
}

/** Position embeddings plus the embedding of segment 0, because single texts have no other segment. */
function positionTable(positions: Weight, segments: Weight): Float32Array {
  const segment = dequantize(segments);
  return dequantize(positions).map((value, index) => value + (segment[index % HIDDEN_SIZE] ?? 0));
}

/** Appends sizes to the shape `leading`. */
function join(graph: OnnxGraph, leading: string, ...sizes: number[]): string {
  return graph.node("Concat", [leading, graph.integers(...sizes)], { axis: 0 });
}
