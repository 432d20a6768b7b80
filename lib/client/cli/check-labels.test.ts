import { expect, test } from "vitest";
import { labelsRequest } from "../../knowledge/manage/schema.ts";
import { labelsOf } from "./commands.ts";

const PER_SEGMENT = "--path takes at most 200 characters per segment. Nothing was ingested.";

test.each([
  { audience: "x".repeat(100) },
  { audience: "x".repeat(101), refusal: "--audience takes at most 100 characters per audience. Nothing was ingested." },
  { audience: Array(50).fill("x").join() },
  { audience: Array(51).fill("x").join(), refusal: "--audience takes at most 50 audiences. Nothing was ingested." },
  { category: "x".repeat(200) },
  { category: "x".repeat(201), refusal: "--category takes at most 200 characters. Nothing was ingested." },
  { path: `A / ${"é".repeat(200)}` },
  { path: `A / ${"é".repeat(201)}`, refusal: PER_SEGMENT },
  { path: `A/${"😀".repeat(200)}` },
  { path: `A/${"😀".repeat(201)}`, refusal: PER_SEGMENT },
  { path: Array(50).fill("x").join("/") },
  { path: Array(51).fill("x").join("/"), refusal: "--path takes at most 50 segments. Nothing was ingested." },
  { audience: "", path: " / " },
])("labels are refused as the server would refuse them: %o", ({ audience, category, path, refusal }) => {
  const given = () => labelsOf({ audience, category, path });
  const sent = {
    audience: audience?.split(",").filter(Boolean),
    contentCategory: category,
    path: path?.split("/").filter((segment) => segment.trim()),
  };
  expect(labelsRequest.safeParse(sent).success).toBe(refusal === undefined);
  if (refusal === undefined) expect(given).not.toThrow();
  else expect(given).toThrow(refusal);
});
