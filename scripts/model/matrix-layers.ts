import type { OnnxGraph } from "./onnx-writer.ts";
import { dequantize, type Weight, zeroPoint } from "./tfjs-weights.ts";

/** The two ways in which a network uses a large matrix. */
export interface MatrixLayers {
  /** The rows of `table` [rows, size] at `ids` [batch, sequence]. */
  lookUp(table: Weight, ids: string): string;
  /** x·kernel + bias: [tokens, in] to [tokens, out]; kernel is [in, out]. */
  linear(x: string, kernel: Weight, bias: Weight): string;
}

/** Matrices as 32-bit floats: four times the size, and the reference for the int8 graph. */
export function fp32Layers(graph: OnnxGraph): MatrixLayers {
  const matrix = (weight: Weight) => graph.floats(dequantize(weight), weight.shape);
  return {
    lookUp: (table, ids) => graph.node("Gather", [matrix(table), ids]),
    linear: (x, kernel, bias) => graph.node("Gemm", [x, matrix(kernel), graph.floats(dequantize(bias))]),
  };
}

/**
 * Matrices as the stored bytes. The inputs of linear layers are quantized at run time.
 *
 * Each token has its own scale and offset. With one scale for the whole tensor, as in DynamicQuantizeLinear, a text's
 * vector would depend on the other texts of the batch, and be less accurate.
 *
 * Kernels are signed, the type that processors multiply fastest. On x86 without VNNI, a pair of products is added in
 * 16 bits, which 8-bit inputs overflow. With 7 bits the largest sum, 2·127·128, fits, so results are exact everywhere.
 */
export function int8Layers(graph: OnnxGraph): MatrixLayers {
  const levels = graph.float(127);
  const tiny = graph.float(1e-9);
  const one = graph.float(1);
  const columns = graph.integers(1);
  const widenByOne = graph.integers(0, 0, 0, 1);
  const quantized = new Map<string, ReturnType<typeof quantizeRows>>();

  /** x = scale · bytes + low, where offset is [low, 1] for each token. */
  function quantizeRows(x: string) {
    const low = graph.node("ReduceMin", [x, columns], { keepdims: 1 });
    const high = graph.node("ReduceMax", [x, columns], { keepdims: 1 });
    const range = graph.node("Max", [graph.node("Sub", [high, low]), tiny]);
    const scale = graph.node("Div", [range, levels]);
    const aboveLow = graph.node("Sub", [x, low]);
    const bytes = graph.node("QuantizeLinear", [aboveLow, graph.node("Squeeze", [scale, columns])], { axis: 0 });
    return { bytes, scale, offset: graph.node("Pad", [low, widenByOne, one]) };
  }

  function quantizedOnce(x: string) {
    const rows = quantized.get(x) ?? quantizeRows(x);
    quantized.set(x, rows);
    return rows;
  }

  return {
    lookUp(table, ids) {
      const rows = graph.node("Gather", [graph.constant("uint8", table.shape, table.bytes), ids]);
      const zero = graph.constant("uint8", [], Uint8Array.of(zeroPoint(table)));
      return graph.node("DequantizeLinear", [rows, graph.float(table.scale), zero]);
    },
    linear(x, kernel, bias) {
      const { bytes, scale, offset } = quantizedOnce(x);
      const matrix = graph.constant("int8", kernel.shape, kernel.bytes.map(toSigned));
      const zero = graph.constant("int8", [], Uint8Array.of(toSigned(zeroPoint(kernel))));
      const product = graph.node("Cast", [graph.node("MatMulInteger", [bytes, matrix, "", zero])], { to: 1 });
      // a division, because ONNX Runtime fuses a multiplication as if the scale were a single number
      const unit = graph.node("Div", [scale, graph.float(1 / kernel.scale)]);
      const scaled = graph.node("Mul", [product, unit]);
      const shifts = Float32Array.of(...columnSums(kernel), ...dequantize(bias));
      return graph.node("Gemm", [offset, graph.floats(shifts, [2, bias.bytes.length]), scaled]);
    },
  };
}

/** Converts an unsigned byte to the signed byte 128 below it. */
function toSigned(byte: number): number {
  return byte ^ 0x80;
}

function columnSums(kernel: Weight): Float32Array {
  const [, width = 0] = kernel.shape;
  const sums = new Float64Array(width);
  for (const [index, byte] of kernel.bytes.entries()) {
    sums[index % width] = (sums[index % width] ?? 0) + (byte - zeroPoint(kernel));
  }
  return Float32Array.from(sums, (sum) => sum * kernel.scale);
}
