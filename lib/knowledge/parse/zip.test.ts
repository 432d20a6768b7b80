import { expect, test } from "vitest";
import { makeZip } from "./fixtures.ts";
import { inspectZip, readZipEntry } from "./zip.ts";

test("lists the entries of a valid archive and reads one", async () => {
  const zip = makeZip([
    { name: "a.xml", data: "<a/>" },
    { name: "b/c.txt", data: "text" },
  ]);
  expect(await inspectZip(zip)).toEqual(["a.xml", "b/c.txt"]);
  expect(await readZipEntry(zip, "b/c.txt")).toBe("text");
  expect(await readZipEntry(zip, "missing")).toBeNull();
});

test("refuses an entry with an extreme compression ratio", async () => {
  const zip = makeZip([{ name: "word/document.xml", data: Buffer.alloc(20 * 1024 * 1024) }]);
  await expect(inspectZip(zip)).rejects.toThrow(/unpacking it is not safe.*200-fold/);
});

test("counts the unpacked bytes, whatever size the archive declares", async () => {
  const zip = makeZip([{ name: "a.xml", data: Buffer.alloc(20 * 1024 * 1024), claimedSize: 10 }]);
  await expect(inspectZip(zip)).rejects.toThrow(/not safe|damaged/);
});

test("refuses an archive that declares more than the limit", async () => {
  const zip = makeZip([{ name: "a.bin", data: "x", claimedSize: 4_000_000_000 }]);
  await expect(inspectZip(zip)).rejects.toThrow("is too large");
});

test("refuses an archive with too many entries", async () => {
  const zip = makeZip(Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}`, data: "" })));
  await expect(inspectZip(zip)).rejects.toThrow("10,001 entries");
});

test("refuses XML that defines entities", async () => {
  const bomb = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><l>&b;</l>';
  await expect(inspectZip(makeZip([{ name: "word/document.xml", data: bomb }]))).rejects.toThrow("defines entities");
});

test("reports an encrypted or damaged archive", async () => {
  await expect(inspectZip(makeZip([{ name: "a", data: "b", flags: 1 }]))).rejects.toThrow("password-protected");
  await expect(inspectZip(makeZip([{ name: "a", data: "b" }]).subarray(0, 40))).rejects.toThrow("damaged");
});
