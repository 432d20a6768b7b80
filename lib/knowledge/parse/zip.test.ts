import { expect, test } from "vitest";
import { makeZip } from "./fixtures.ts";
import { inspectZip, readZipEntry } from "./zip.ts";

test("names the entries of a sound archive and reads one", async () => {
  const zip = makeZip([
    { name: "a.xml", data: "<a/>" },
    { name: "b/c.txt", data: "text" },
  ]);
  expect(await inspectZip(zip)).toEqual(["a.xml", "b/c.txt"]);
  expect(await readZipEntry(zip, "b/c.txt")).toBe("text");
  expect(await readZipEntry(zip, "missing")).toBeNull();
});

test("refuses an entry that grows out of proportion", async () => {
  const zip = makeZip([{ name: "word/document.xml", data: Buffer.alloc(20 * 1024 * 1024) }]);
  await expect(inspectZip(zip)).rejects.toThrow(/unpacking it is not safe.*200-fold/);
});

test("counts what really comes out, whatever the archive claims", async () => {
  const zip = makeZip([{ name: "a.xml", data: Buffer.alloc(20 * 1024 * 1024), claimedSize: 10 }]);
  await expect(inspectZip(zip)).rejects.toThrow(/not safe|damaged/);
});

test("refuses an archive that claims more than there is room for", async () => {
  const zip = makeZip([{ name: "a.bin", data: "x", claimedSize: 4_000_000_000 }]);
  await expect(inspectZip(zip)).rejects.toThrow("is too large");
});

test("refuses a crowd of entries", async () => {
  const zip = makeZip(Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}`, data: "" })));
  await expect(inspectZip(zip)).rejects.toThrow("10,001 entries");
});

test("refuses XML that defines entities", async () => {
  const bomb = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><l>&b;</l>';
  await expect(inspectZip(makeZip([{ name: "word/document.xml", data: bomb }]))).rejects.toThrow("defines entities");
});

test("says that an archive is encrypted or damaged", async () => {
  await expect(inspectZip(makeZip([{ name: "a", data: "b", flags: 1 }]))).rejects.toThrow("password-protected");
  await expect(inspectZip(makeZip([{ name: "a", data: "b" }]).subarray(0, 40))).rejects.toThrow("damaged");
});
