import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import type { WebServer } from "../../../scripts/serve/http-server.ts";
import { apiCaller, type Caller } from "../../testing/api-caller.ts";
import { testDatabase } from "../../testing/database.ts";
import { newCompany } from "../../testing/knowledge.ts";
import { makeXlsx } from "../parse/sheet-fixtures.ts";

testDatabase();

interface Refused {
  issues: { path: string }[];
  moreFailed?: number;
}

let web: WebServer;
let call: Caller;

beforeAll(async () => {
  web = await startApiServer();
  call = await apiCaller(web.address(), await newCompany(), { scopes: ["ingest"] });
});
afterAll(() => web.close(0));

test("a batch of bad sources names each of them, however many issues the others have", async () => {
  const bad = { sourceType: "document", sourceId: "", title: "", content: "", audience: "x", path: "x", metadata: "x" };
  const sources = Array.from({ length: 200 }, () => bad);
  const { status, body } = await call<Refused>("POST", "/sources/batch", { body: { sources } });
  expect([status, body.issues.length, body.moreFailed]).toEqual([422, 1_000, undefined]);
  const places = body.issues.map(({ path }) => Number(path.split(".")[1]));
  expect(places.slice(0, 200)).toEqual([...Array(200).keys()]);
});

test("a file of bad questions names 1,000 rows and counts the others", async () => {
  const body = `question,answer\n${"What is missing?,\n".repeat(1_001)}`;
  const refused = await call<Refused>("PUT", "/sources/file?sourceId=faq.csv&as=questions", { body });
  expect([refused.status, refused.body.issues.length, refused.body.moreFailed]).toEqual([422, 1_000, 1]);
  expect(refused.body.issues.at(-1)?.path).toBe("rows.1001");
});

test("a file of too many questions is refused as a whole, and is still a file of questions", async () => {
  const body = `question,answer\n${"Who?,Us.\n".repeat(100_001)}`;
  const refused = await call<Refused>("PUT", "/sources/file?sourceId=faq.csv&as=questions", { body });
  // the client sends a file whose issue has an empty path as a document
  const message = "The file has more than 100,000 rows. Split it into smaller files.";
  expect(refused).toMatchObject({ status: 422, body: { issues: [{ path: "rows", message }] } });
});

test("rows of a workbook of several sheets name their sheet, accepted or refused", async () => {
  const row = (question: string, answer: string, audience = "staff") => [question, answer, audience, question];
  const book = (audience: string, ...more: string[][]) =>
    makeXlsx({
      Billing: [["question", "answer", "audience", "sourceId"], row("Who?", "Us.", audience), ...more],
      Hours: [["question", "answer", "audience", "sourceId"], row("When?", "Now.", audience), ...more],
    });
  const put = (body: Uint8Array) => call("PUT", "/sources/file?sourceId=faq.xlsx&as=questions", { body });
  const places = [
    { row: 2, sheet: "Billing" },
    { row: 2, sheet: "Hours" },
  ];
  expect((await put(book("staff"))).body).toMatchObject({ accepted: places, failed: [] });
  const mixed = await put(book("staff", row("Why?", "")));
  expect(mixed.body).toMatchObject({ accepted: places, failed: places.map(({ sheet }) => ({ row: 3, sheet })) });
  expect((await put(book("public"))).body).toMatchObject({
    issues: places.map(({ sheet }) => ({ path: "rows.2.audience", message: expect.stringContaining(`"${sheet}"`) })),
  });
});
