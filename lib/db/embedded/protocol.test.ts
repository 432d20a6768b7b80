import { describe, expect, it } from "vitest";
import { fc } from "../../testing/property.ts";
import { FrameReader, queryMessage, SYNC_MESSAGE } from "./protocol.ts";

const startup = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0]);
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const message = (type: string, body = "") => {
  const bytes = Buffer.alloc(5 + body.length);
  bytes.write(type);
  bytes.writeInt32BE(4 + body.length, 1);
  bytes.write(body, 5);
  return bytes;
};

describe("FrameReader", () => {
  it("keeps the messages of one statement together, up to its end or a pause", () => {
    const reader = new FrameReader();
    const described = [message("P", "select $1"), message("D", "S"), message("H")];
    const executed = [message("B", "42"), message("E"), SYNC_MESSAGE];
    const frames = reader.push(Buffer.concat([sslRequest, startup, queryMessage("begin"), ...described, ...executed]));
    expect(frames.map(({ kind, ends }) => [kind, ends])).toEqual([
      ["refuse-encryption", true],
      ["startup", true],
      ["statement", true],
      ["statement", false],
      ["statement", true],
    ]);
    expect(frames[3]?.bytes).toEqual(Buffer.concat(described));
    expect(frames[4]?.bytes).toEqual(Buffer.concat(executed));
  });

  it("gives the same frames however the bytes are cut", () => {
    const bytes = Buffer.concat([
      startup,
      queryMessage("select 1"),
      message("P", "x".repeat(300)),
      SYNC_MESSAGE,
      message("X"),
    ]);
    const whole = new FrameReader().push(bytes);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
        const reader = new FrameReader();
        const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const frames = edges.flatMap((edge, i) => reader.push(bytes.subarray(edges[i - 1] ?? 0, edge)));
        expect(frames).toEqual(whole);
      }),
    );
  });

  it("refuses bytes of another protocol", () => {
    expect(() => new FrameReader().push(Buffer.from("GET / HTTP/1.1\r\n\r\n"))).toThrow(RangeError);
    const reader = new FrameReader();
    reader.push(startup);
    expect(() => reader.push(Buffer.from([0x51, 0, 0, 0, 1]))).toThrow(RangeError);
  });
});
