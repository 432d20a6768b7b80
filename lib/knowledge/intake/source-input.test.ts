import { expect, test } from "vitest";
import { sourceInput } from "./source-input.ts";

function withMetadata(metadata: unknown) {
  return sourceInput.safeParse({ sourceType: "document", title: "Terms", content: "It ends.", metadata });
}

/** An object with entries of six characters each as JSON. */
function entries(count: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [String.fromCodePoint(0x4e00 + index), 1]));
}

test("metadata with too many entries is refused before any of them is read", () => {
  let read = 0;
  const counted = new Proxy(entries(5_000), {
    get: (object, name) => {
      if (Object.hasOwn(object, name)) read++;
      return Reflect.get(object, name);
    },
  });
  expect(withMetadata(counted).error?.issues).toMatchObject([
    { path: ["metadata"], message: "must be at most 16 kB as JSON" },
  ]);
  expect(read).toBe(0);
});

test("metadata may have as many entries as fit into its size", () => {
  expect(withMetadata(entries(2_730)).data).toMatchObject({ metadata: entries(2_730) });
  expect(withMetadata(entries(2_731)).success).toBe(false);
  expect(withMetadata(undefined).data?.metadata).toBeUndefined();
  expect(withMetadata(null).data?.metadata).toBeUndefined();
  expect(withMetadata([1]).error?.issues).toMatchObject([{ message: "must be an object" }]);
});
