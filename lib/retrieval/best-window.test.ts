import { describe, expect, it } from "vitest";
import { embedTexts } from "../ai/models.ts";
import { addBestWindows, windowsOf } from "./best-window.ts";

const scored = (content: string, cosine = 0.3) => ({ cosine, weight: 0.6, chunk: { content } });
const FILLER = "The company was founded in a small town. Its offices are on the first floor. ";
const asked = { text: "How long do you keep backups?" };

describe("windowsOf", () => {
  it("cuts a chunk into pairs of sentences, and a long one only at its start", () => {
    expect(windowsOf("One. Two. Three.")).toEqual(["One. Two.", "Three."]);
    expect(windowsOf("One is here. ".repeat(40))).toHaveLength(4);
    expect(windowsOf(`${"long ".repeat(400)}. Two. Three.`)[0]).toHaveLength(500);
  });

  it("finds none in a chunk that is one window", () => {
    expect(windowsOf("One. Two.")).toEqual([]);
    expect(windowsOf("")).toEqual([]);
  });
});

describe("addBestWindows", () => {
  it("raises the chunk that answers in one of its windows above one that is about the topic", async () => {
    const answers = scored(`${FILLER}We keep backups for thirty days. After that, backups are deleted. ${FILLER}`);
    const other = scored(`${FILLER}${FILLER}${FILLER}`);
    const [first = 0, second = 0] = await addBestWindows(asked, [other, answers], [0.52, 0.5], { embed: embedTexts });
    expect(second).toBeGreaterThan(first);
    expect(second).toBeLessThanOrEqual(1);
  });

  it("lowers no score and keeps those of short chunks, of chunks without vectors and of all but the first five", async () => {
    const long = scored(`${FILLER}We keep backups for thirty days.`);
    const chunks = [long, scored("We keep backups."), { ...long, weight: 0 }, ...new Array<typeof long>(4).fill(long)];
    const scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3];
    const raised = await addBestWindows(asked, chunks, scores, { embed: embedTexts });
    expect(raised.map((score, index) => score > (scores[index] ?? 1))).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(await addBestWindows({ text: "How? ".repeat(200) }, chunks, scores, { embed: embedTexts })).toBe(scores);
  });
});
