import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { tenantScope } from "../db/tenant.ts";
import { AppError } from "../errors.ts";
import { dataPaths } from "../paths.ts";
import { receiveFile, receiveUpload } from "./receive-file.ts";

const [busy, quiet] = ["0192aaaa-0000-7000-8000-000000000001", "0192aaaa-0000-7000-8000-000000000002"].map(tenantScope);
if (!busy || !quiet) throw new Error("two companies");

const MIB = 1024 * 1024;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ragstone-receive-"));
  vi.stubEnv("DATA_DIR", folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A request whose body tells when it is read, and ends when the test says so. */
function slowUpload(signal?: AbortSignal) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  let read = false;
  const body = new ReadableStream(
    {
      async pull(controller) {
        read = true;
        begun.resolve();
        await end.promise;
        controller.enqueue(Buffer.from("text"));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const request = new Request("http://localhost/", {
    method: "POST",
    body,
    ...{ duplex: "half" },
    ...(signal && { signal }),
  });
  return { request, begun: begun.promise, isRead: () => read, end: end.resolve };
}

const allowed = async () => {};

const receiveText = (scope: typeof busy, request: Request) =>
  receiveFile(scope, { request, bytesMax: 100, recheck: allowed }, ({ path }) => readFile(path, "utf8"));

test("a company's third file is not read before one of two has arrived, and another company's file is", async () => {
  const [first, second, third, other] = [slowUpload(), slowUpload(), slowUpload(), slowUpload()];
  const texts = [first, second, third].map(({ request }) => receiveText(busy, request));
  texts.push(receiveText(quiet, other.request));
  await Promise.all([first.begun, second.begun, other.begun]);
  expect(third.isRead()).toBe(false);
  first.end();
  await third.begun;
  for (const { end } of [second, third, other]) end();
  expect(await Promise.all(texts)).toEqual(["text", "text", "text", "text"]);
});

test("a file whose sender leaves while it waits is never read, and leaves nothing behind", async () => {
  const caller = new AbortController();
  const [first, second, leaving, next] = [slowUpload(), slowUpload(), slowUpload(caller.signal), slowUpload()];
  const received = [first, second].map(({ request }) => receiveText(busy, request));
  const left = receiveText(busy, leaving.request);
  const last = receiveText(busy, next.request);
  await Promise.all([first.begun, second.begun]);
  caller.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  first.end();
  await next.begun;
  for (const { end } of [second, next]) end();
  expect(await Promise.all([...received, last])).toEqual(["text", "text", "text"]);
  expect(leaving.isRead()).toBe(false);
  expect(readdirSync(dataPaths(folder).incoming)).toEqual([]);
});

test("a file whose sender leaves in the middle is not worked on, and leaves nothing behind", async () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from("half")),
    pull: (controller) => controller.error(new Error("aborted")),
  });
  const request = new Request("http://localhost/", { method: "POST", body, ...{ duplex: "half" } });
  const work = vi.fn();
  await expect(receiveFile(busy, { request, bytesMax: 100, recheck: allowed }, work)).rejects.toThrow("cut off");
  expect(work).not.toHaveBeenCalled();
  expect(readdirSync(dataPaths(folder).incoming)).toEqual([]);
});

test("a file is not worked on when its sender has lost the right to send it by the time it has arrived", async () => {
  const { request, begun, end } = slowUpload();
  let isAllowed = true;
  const recheck = async () => {
    if (!isAllowed) throw new AppError("Unauthorized", "revoked");
  };
  const work = vi.fn();
  const received = receiveFile(busy, { request, bytesMax: 100, recheck }, work);
  await begun;
  isAllowed = false;
  end();
  await expect(received).rejects.toThrow("revoked");
  expect(work).not.toHaveBeenCalled();
  expect(readdirSync(dataPaths(folder).incoming)).toEqual([]);
});

/** Receives a file in a form with labels, up to 1 MiB, and returns its size. */
const receiveForm = (bytes: number): Promise<number> => {
  const form = new FormData();
  form.set("labels", JSON.stringify({ path: ["A"] }));
  form.set("file", new Blob([new Uint8Array(bytes)]), "a.txt");
  const request = new Request("http://localhost/", { method: "POST", body: form });
  return receiveUpload(busy, { request, bytesMax: MIB, recheck: allowed }, async ({ file }) => file.byteLength);
};

test("a file in a form has the limit of a file that is the whole body", async () => {
  expect(await receiveForm(MIB)).toBe(MIB);
  for (const bytes of [MIB + 1, 3 * MIB]) {
    await expect(receiveForm(bytes)).rejects.toMatchObject({
      error: "PayloadTooLarge",
      message: "The file is larger than 1 MB. Split it.",
    });
  }
});
