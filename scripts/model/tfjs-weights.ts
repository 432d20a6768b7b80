import { z } from "zod";

/** A tensor with one byte per value: value = scale · byte + min. */
export interface Weight {
  shape: readonly number[];
  bytes: Uint8Array;
  scale: number;
  min: number;
}

const Manifest = z.object({
  weightsManifest: z.tuple([
    z.object({
      weights: z.array(
        z.object({
          name: z.string(),
          shape: z.array(z.number()),
          quantization: z.object({ dtype: z.literal("uint8"), min: z.number(), scale: z.number() }).optional(),
        }),
      ),
    }),
  ]),
});

const PLAIN_VALUE_BYTES = 4;

/**
 * Reads the quantized tensors of a TensorFlow.js graph model, by name.
 * @param modelJson the text of model.json
 * @param data the model's only weights file
 */
export function readTfjsWeights(modelJson: string, data: Uint8Array): Map<string, Weight> {
  const [{ weights }] = Manifest.parse(JSON.parse(modelJson)).weightsManifest;
  const tensors = new Map<string, Weight>();
  let offset = 0;
  for (const { name, shape, quantization } of weights) {
    const size = shape.reduce((product, length) => product * length, quantization ? 1 : PLAIN_VALUE_BYTES);
    if (quantization) tensors.set(name, { ...quantization, shape, bytes: data.subarray(offset, offset + size) });
    offset += size;
  }
  return tensors;
}

/** The byte that represents 0. */
export function zeroPoint({ scale, min }: Weight): number {
  return Math.round(-min / scale);
}

export function dequantize({ bytes, scale, min }: Weight): Float32Array {
  return Float32Array.from(bytes, (byte) => scale * byte + min);
}
