const IR_VERSION = 10;
const PRODUCER = "ragstone";
const ELEMENT_TYPES = { float32: 1, int8: 3, uint8: 2, int64: 7 } as const;

type ElementType = keyof typeof ELEMENT_TYPES;
type Attribute = number | readonly number[] | { float: number };
/** An input or output of a graph; a dimension with a name is dynamic. */
interface Value {
  name: string;
  type: ElementType;
  shape: readonly (number | string)[];
}

/**
 * Builds a static ONNX graph and writes it in protobuf's wire format, without a library for either.
 * Methods that add something to the graph return the name of the new value.
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 for the field numbers below
 */
export class OnnxGraph {
  readonly #nodes: Buffer[] = [];
  readonly #constants: Buffer[] = [];
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** Adds an operator with one output. The name "" stands for an omitted optional input. */
  node(
    operator: string,
    inputs: readonly string[],
    attributes: Record<string, Attribute> = {},
    output = `${operator}_${this.#nodes.length}`,
  ): string {
    this.#nodes.push(
      Buffer.concat([
        ...inputs.map((input) => bytesField(1, input)),
        bytesField(2, output),
        bytesField(3, output),
        bytesField(4, operator),
        ...Object.entries(attributes).map(([name, value]) => bytesField(5, attributeProto(name, value))),
      ]),
    );
    return output;
  }

  /** Adds a constant of raw little-endian data. An empty shape is a scalar. */
  constant(type: ElementType, shape: readonly number[], data: Uint8Array): string {
    const name = `constant_${this.#constants.length}`;
    this.#constants.push(
      Buffer.concat([
        ...shape.map((size) => integerField(1, size)),
        integerField(2, ELEMENT_TYPES[type]),
        bytesField(8, name),
        bytesField(9, data),
      ]),
    );
    return name;
  }

  floats(values: Float32Array, shape: readonly number[] = [values.length]): string {
    return this.constant("float32", shape, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }

  float(value: number): string {
    return this.floats(Float32Array.of(value), []);
  }

  integers(...values: number[]): string {
    return this.constant("int64", [values.length], new Uint8Array(BigInt64Array.from(values, BigInt).buffer));
  }

  /** Encodes the model file. */
  toModel(opset: number, inputs: readonly Value[], outputs: readonly Value[]): Buffer {
    const graph = Buffer.concat([
      ...this.#nodes.map((node) => bytesField(1, node)),
      bytesField(2, this.#name),
      ...this.#constants.map((tensor) => bytesField(5, tensor)),
      ...inputs.map((input) => bytesField(11, valueProto(input))),
      ...outputs.map((output) => bytesField(12, valueProto(output))),
    ]);
    const standardOperators = Buffer.concat([bytesField(1, ""), integerField(2, opset)]);
    return Buffer.concat([
      integerField(1, IR_VERSION),
      bytesField(2, PRODUCER),
      bytesField(7, graph),
      bytesField(8, standardOperators),
    ]);
  }
}

function attributeProto(name: string, value: Attribute): Buffer {
  const [payload, type] = attributePayload(value);
  return Buffer.concat([bytesField(1, name), payload, integerField(20, type)]);
}

function attributePayload(value: Attribute): [payload: Buffer, type: number] {
  if (typeof value === "number") return [integerField(3, value), 2];
  if ("float" in value) return [floatField(2, value.float), 1];
  return [Buffer.concat(value.map((item) => integerField(8, item))), 7];
}

function valueProto({ name, type, shape }: Value): Buffer {
  const dimensions = shape.map((size) =>
    bytesField(1, typeof size === "string" ? bytesField(2, size) : integerField(1, size)),
  );
  const tensor = Buffer.concat([integerField(1, ELEMENT_TYPES[type]), bytesField(2, Buffer.concat(dimensions))]);
  return Buffer.concat([bytesField(1, name), bytesField(2, bytesField(1, tensor))]);
}

function integerField(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function floatField(field: number, value: number): Buffer {
  return Buffer.concat([varint((field << 3) | 5), new Uint8Array(Float32Array.of(value).buffer)]);
}

function bytesField(field: number, content: Uint8Array | string): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}
