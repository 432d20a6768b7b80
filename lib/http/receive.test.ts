import { expect, test } from "vitest";
import { receive } from "./receive.ts";

async function receiveAll(...given: Parameters<typeof receive>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of receive(...given)) parts.push(part);
  return Buffer.concat(parts);
}

function post(parts: string[], headers: Record<string, string> = {}): Request {
  const body = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  return new Request("http://localhost/", { method: "POST", body, headers, ...{ duplex: "half" } });
}

test("a body up to the limit arrives whole", async () => {
  expect((await receiveAll(post(["ab", "c"]), 3)).toString()).toBe("abc");
  expect(await receiveAll(new Request("http://localhost/", { method: "POST" }), 3)).toHaveLength(0);
});

test("a body over the limit is refused, by its Content-Length or its size", async () => {
  const says = post(["a"], { "content-length": "4" });
  await expect(receiveAll(says, 3)).rejects.toMatchObject({ error: "PayloadTooLarge" });
  await expect(receiveAll(post(["ab", "cd"]), 3)).rejects.toMatchObject({ error: "PayloadTooLarge" });
});

test("a compressed body is refused before it is read", async () => {
  const compressed = post(["ab"], { "content-encoding": "gzip" });
  await expect(receiveAll(compressed, 3)).rejects.toMatchObject({ error: "UnsupportedMediaType" });
  expect(compressed.bodyUsed).toBe(false);
});

test("a body that is cut off is refused", async () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from("ab")),
    pull: (controller) => controller.error(new Error("aborted")),
  });
  const request = new Request("http://localhost/", { method: "POST", body, ...{ duplex: "half" } });
  await expect(receiveAll(request, 3)).rejects.toMatchObject({
    error: "BadRequest",
    message: "The file was cut off during the upload. Send it again.",
  });
});
