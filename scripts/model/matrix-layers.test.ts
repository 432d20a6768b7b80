import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { fp32Layers, int8Layers, type MatrixLayers } from "./matrix-layers.ts";
import { OnnxGraph } from "./onnx-writer.ts";
import type { Weight } from "./tfjs-weights.ts";

const SIZE = 32;
const OPSET = 21;

/** A weight of pseudo-random bytes, the same on every run. */
function weight(shape: number[], { scale, min, seed }: { scale: number; min: number; seed: number }): Weight {
  const length = shape.reduce((product, size) => product * size, 1);
  return { shape, scale, min, bytes: Uint8Array.from({ length }, (_, i) => Math.imul(i + seed, 0x9e3779b1) >>> 24) };
}

const kernel = weight([SIZE, SIZE], { scale: 0.01, min: -0.4, seed: 1 });
const bias = weight([SIZE], { scale: 0.02, min: -1, seed: 2 });
const row = (seed: number, height: number) =>
  Array.from({ length: SIZE }, (_, i) => height * (Math.sin(seed * 7 + i * 1.7) + 0.3));

async function runLinear(layers: (graph: OnnxGraph) => MatrixLayers, rows: number[][]): Promise<number[][]> {
  const graph = new OnnxGraph("linear");
  graph.node("Identity", [layers(graph).linear("x", kernel, bias)], {}, "y");
  const value = (name: string) => ({ name, type: "float32" as const, shape: ["rows", SIZE] });
  const session = await InferenceSession.create(graph.toModel(OPSET, [value("x")], [value("y")]));
  const { y } = await session.run({ x: new Tensor("float32", rows.flat(), [rows.length, SIZE]) });
  const flat = Array.from(y?.data as Float32Array);
  return rows.map((_, i) => flat.slice(i * SIZE, (i + 1) * SIZE));
}

describe("int8 layers", () => {
  const rows = [row(1, 1), row(2, 100), row(3, 0.01)];

  it("computes the same as the float layers, with a precision per row", async () => {
    const exact = await runLinear(fp32Layers, rows);
    const rounded = await runLinear(int8Layers, rows);
    // a step of quantization is height / 63, and 32 of them add up
    for (const [i, height] of [1, 100, 0.01].entries()) {
      const error = Math.max(...(exact[i] ?? []).map((value, j) => Math.abs(value - (rounded[i]?.[j] ?? NaN))));
      expect(error).toBeLessThan(0.1 * height);
    }
  });

  it("gives a row the same result whatever else is in the batch", async () => {
    const [alone] = await runLinear(int8Layers, [rows[0] ?? []]);
    const [together] = await runLinear(int8Layers, rows);
    expect(together).toEqual(alone);
  });
});
