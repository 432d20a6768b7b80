import { expect, test, vi } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../../testing/knowledge.ts";
import { preparePieces } from "./pieces.ts";
import { outcomeOf } from "./progress.ts";

vi.mock("../limits.ts", async (original) => ({
  ...(await original<typeof import("../limits.ts")>()),
  CHUNKS_PER_COMPANY_MAX: 2,
  CHUNKS_PER_SOURCE_MAX: 2,
}));

testDatabase();

test("a company that has reached its limit of chunks gets no more, and the reason says what to do", async () => {
  const scope = await newCompany();
  await addAndIngest(scope, document("one", "Granite weathers slowly."), document("two", "Basalt is dark."));
  const [third] = await addAndIngest(scope, document("three", "Tuff is soft."));
  const { failed } = await outcomeOf(scope, SYSTEM_ACTOR, [third?.versionId ?? ""]);
  const reason = "The company has reached its limit of 2 chunks. Delete sources, then try again.";
  expect(failed).toEqual([{ path: "three", reason }]);
});

test.each([
  ["small", ""],
  ["large", " ".repeat(1_100_000)],
])("a full company can correct a source that is %s, but not make it longer", async (_, space) => {
  const scope = await newCompany();
  await addAndIngest(scope, document("one", "Slate splits."), document("two", "Basalt is dark."));
  const [corrected] = await addAndIngest(scope, document("one", `Granite${space} weathers slowly.`));
  expect(await outcomeOf(scope, SYSTEM_ACTOR, [corrected?.versionId ?? ""])).toMatchObject({ failed: [], chunks: 1 });
  const { response } = await ask(scope, { queryText: "Granite weathers slowly" });
  expect(response.results[0]?.payload.content).toContain("Granite");
  const parts = ["Granite", "Marble"].map((stone) => `# ${stone}\n\n${`${stone} weathers slowly. `.repeat(60)}`);
  const [longer] = await addAndIngest(scope, document("one", parts.join(`\n\n${space}`)));
  const { failed } = await outcomeOf(scope, SYSTEM_ACTOR, [longer?.versionId ?? ""]);
  expect(failed).toMatchObject([{ reason: expect.stringContaining("limit of 2 chunks") }]);
});

test("a source with too many chunks is refused before the rest of it is prepared", async () => {
  const content = Array.from({ length: 4 }, (_, i) => `# Part ${i}\n\n${"Granite weathers slowly. ".repeat(60)}`);
  const body = { kind: "text", title: "Rocks", content: content.join("\n\n") } as const;
  const more = { sourceId: "rocks", maxTokens: 512, ocrLanguages: [], recognised: [] };
  const pieces = preparePieces({ kind: "pieces", body, ...more });
  await expect(pieces.next()).rejects.toThrow("The source has more than 2 chunks. Split it into several sources.");
});
