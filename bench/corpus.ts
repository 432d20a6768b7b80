import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "sample/documents";

/** A random number generator (mulberry32). A seed always gives the same numbers, so runs are comparable. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Sentences of the sample's Markdown pages. */
export function sentences(): string[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  return files.sort().flatMap((name) =>
    readFileSync(join(FOLDER, name), "utf8")
      .split(/(?<=[.!?])\s+/)
      .map((sentence) => sentence.replace(/\s+/g, " ").trim())
      .filter((sentence) => sentence.length > 40 && sentence.length < 240 && !sentence.includes("|")),
  );
}

/** How many of `chunks` each company has: the second half as many as the first, the third a third, and so on. */
export function sharesOf(chunks: number, companies: number): number[] {
  const weights = Array.from({ length: companies }, (_, company) => 1 / (company + 1));
  const total = weights.reduce((sum, weight) => sum + weight);
  return weights.map((weight) => Math.max(1, Math.round((chunks * weight) / total)));
}

/** `count` documents of one chunk each: about 90 words of shuffled sentences and a unique code. */
export function documents(count: number, seed = 1) {
  const [random, all] = [seeded(seed), sentences()];
  const pick = () => all[Math.floor(random() * all.length)] ?? "";
  return Array.from({ length: count }, (_, index) => ({
    sourceType: "document" as const,
    sourceId: `doc-${index}`,
    title: `Note ${index}`,
    content: `Case R${index}-${Math.floor(random() * 1e6)}. ${Array.from({ length: 5 }, pick).join(" ")}`,
    audience: index % 10 === 0 ? ["copilot"] : ["ai_agent"],
  }));
}

/** Questions that share words with the corpus but do not copy it. */
export function questions(count: number, seed = 2): string[] {
  const [random, all] = [seeded(seed), sentences()];
  return Array.from({ length: count }, () => {
    const words = (all[Math.floor(random() * all.length)] ?? "").split(" ");
    const start = Math.floor(random() * Math.max(1, words.length - 8));
    return words.slice(start, start + 8).join(" ");
  });
}

const DRAWS_MAX = 1_000;

/** Returns a function that draws questions and never draws one twice. @param asked those that it may not draw */
export function drawQuestions(asked: string[]): (count: number) => string[] {
  const drawn = new Set(asked);
  let draws = 0;
  return (count) => {
    const found = new Set<string>();
    while (found.size < count) {
      if (++draws > DRAWS_MAX) throw new Error("The texts have too few different questions. Lower --queries.");
      for (const question of questions(count - found.size, 100 + draws)) if (!drawn.has(question)) found.add(question);
      for (const question of found) drawn.add(question);
    }
    return [...found];
  };
}
