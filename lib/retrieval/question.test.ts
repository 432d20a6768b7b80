import { expect, test } from "vitest";
import { analyzeQuestion } from "./question.ts";

test("limits runs of combining marks once for all stages", async () => {
  const acute = "\u0301";
  const [flooded, limited] = await Promise.all(
    [8_000, 30].map((marks) => analyzeQuestion(`Is the caf${`e${acute.repeat(marks)}`} open?`)),
  );
  expect(flooded).toEqual(limited);
  expect(flooded?.text).toContain(acute.repeat(30));
});

test("has no English form of a question with only function words", async () => {
  expect(await analyzeQuestion("Dove siete?")).toMatchObject({ language: "it", english: null });
  expect((await analyzeQuestion("Dove siete con il rimborso?")).english?.text).toBe("refund");
});
