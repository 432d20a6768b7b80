import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Tokenizer as HuggingFaceTokenizer } from "@huggingface/tokenizers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fc } from "../../testing/property.ts";
import { bundledModelDir } from "./bundled-model.ts";
import { loadTokenizer, type Tokenizer } from "./tokenizer.ts";

const CLS = 101;
const SEP = 102;
const PROSE = `Ragstone's fibre plans (100–1,000 Mbit/s) cost €29.90; see "Costi e attivazione" — è già tutto qui!
How do I cancel?	Write to café@example.com… 東京タワー naïve e\u0301 [SEP] ${"pneumonoultramicroscopicsilicovolcanoconiosis".repeat(4)}`;

let tokenizer: Tokenizer;
let folder: string;
beforeAll(async () => {
  tokenizer = await loadTokenizer(bundledModelDir());
  folder = await mkdtemp(path.join(tmpdir(), "tokenizer-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("the bundled tokenizer", () => {
  it("gives the ids that the vocabulary says", () => {
    expect(tokenizer.encode("How do I cancel?", 256)).toEqual([CLS, 2129, 2079, 1045, 17542, 1029, SEP]);
    expect(tokenizer.encode("", 256)).toEqual([CLS, SEP]);
  });

  const library = new HuggingFaceTokenizer(
    JSON.parse(readFileSync(path.join(bundledModelDir(), "tokenizer.json"), "utf8")),
    {},
  );

  it("gives the library's ids although it works word by word", () => {
    const whole = library.encode(PROSE).ids;
    for (const run of ["first", "remembered"]) {
      expect(tokenizer.encode(PROSE, 1_000), run).toEqual(whole);
      expect(tokenizer.count(PROSE), run).toBe(whole.length - 2);
    }
  });

  it("gives the library's ids for any text", () => {
    const part = fc.constantFrom(
      "un",
      "believ",
      "able",
      "q7",
      "漢",
      "😀",
      "é",
      "e\u0301",
      "ß",
      "ⅷ",
      " ",
      "-",
      "x",
      ".",
      "'",
      "Α",
      "Σ",
      "[UNK]",
    );
    const odd = fc.array(part, { maxLength: 120 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(odd, fc.string({ unit: "binary", maxLength: 150 })), (given) => {
        const text = given.replace(/\s/g, " ");
        expect(tokenizer.encode(text, 10_000)).toEqual(library.encode(text).ids);
      }),
      { numRuns: 60 },
    );
  });

  it("cuts the end of a long text and keeps the last special token", () => {
    const long = "unbelievably long ".repeat(500);
    const ids = tokenizer.encode(long, 256);
    expect(ids).toHaveLength(256);
    expect([ids[0], ids[255]]).toEqual([CLS, SEP]);
    expect(ids.slice(0, -1)).toEqual(tokenizer.encode(long, 10_000).slice(0, 255));
  });

  it("counts tokens of everything and words of letters and digits", () => {
    expect(tokenizer.fertility("Unbelievable, isn't it? 42!")).toEqual({ pieces: 9, words: 5 });
    expect(tokenizer.fertility("…")).toEqual({ pieces: 1, words: 0 });
  });

  it("counts the characters of words that the vocabulary lacks, and knows that it cannot read them", () => {
    const thai = "เปิดบัญชีอย่างไร";
    expect(tokenizer.encode(thai, 10)).toHaveLength(3);
    expect(tokenizer.fertility(thai)).toEqual({ pieces: [...thai].length, words: 1 });
    expect([thai, "ราคา iPhone ของร้าน", "How do I open an account?"].map(tokenizer.canRead)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("is loaded once", () => {
    expect(loadTokenizer(`${bundledModelDir()}/`)).toBe(loadTokenizer(bundledModelDir()));
  });
});

it("names the problem of a tokenizer that cannot be read", async () => {
  await writeFile(path.join(folder, "tokenizer.json"), "{}");
  await expect(loadTokenizer(folder)).rejects.toThrow(/tokenizer\.json cannot be read.*sentence-transformers/);
  await expect(loadTokenizer(path.join(folder, "nowhere"))).rejects.toThrow(/nowhere is not a usable embedding model/);
});
