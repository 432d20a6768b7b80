import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import type { WebServer } from "../../../scripts/serve/http-server.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { apiCaller, type Caller } from "../../testing/api-caller.ts";
import { testDatabase } from "../../testing/database.ts";
import { document, newCompany, work } from "../../testing/knowledge.ts";
import { FILE_BYTES_MAX } from "../limits.ts";
import { makeXlsx } from "../parse/sheet-fixtures.ts";

testDatabase();

let web: WebServer;
let scope: TenantScope;
let call: Caller;

interface Outcome {
  accepted: { index: number; sourceId: string }[];
  failed: { index: number; sourceId?: string; issues: { path: string }[] }[];
}

beforeAll(async () => {
  web = await startApiServer();
});
afterAll(() => web.close(0));

async function useNewCompany(): Promise<void> {
  scope = await newCompany();
  call = await apiCaller(web.address(), scope, { scopes: ["manage"] });
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("199 good sources go in beside a bad one", async () => {
  await useNewCompany();
  const sources: object[] = Array.from({ length: 200 }, (_, i) => document(`s${i}`, `Text ${i}`));
  sources[7] = document("s7", "", { path: "a/b" });
  const { status, body } = await call<Outcome>("POST", "/sources/batch", { body: { sources } });
  expect(status).toBe(202);
  expect(body.accepted).toHaveLength(199);
  expect(body.failed).toMatchObject([{ index: 7, sourceId: "s7", issues: [{ path: "content" }, { path: "path" }] }]);
  const again = await call<Outcome>("POST", "/sources/batch", { body: { sources: sources.slice(8, 12) } });
  expect(again).toMatchObject({
    status: 200,
    body: { accepted: [{ index: 0, unchanged: true }, {}, {}, {}], failed: [] },
  });
  const tooMany = await call("POST", "/sources/batch", { body: { sources: [...sources, document("more", "Text")] } });
  expect(tooMany).toMatchObject({ status: 422, body: { issues: [{ path: "sources" }] } });
});

test("a batch of bad sources is 422 and names every issue", async () => {
  await useNewCompany();
  const sources = [document("a", ""), { sourceType: "page" }, 7];
  const { status, body } = await call<{ issues: { path: string }[] }>("POST", "/sources/batch", { body: { sources } });
  expect(status).toBe(422);
  expect(body.issues.map(({ path }) => path)).toEqual(["sources.0.content", "sources.1.sourceType", "sources.2"]);
});

test("lines of JSON are a batch too, and of sources given twice the last is used", async () => {
  await useNewCompany();
  const lines = [JSON.stringify(document("a", "One.")), "{", "", JSON.stringify(document("a", "Two."))].join("\n");
  const headers = { "Content-Type": "application/x-ndjson" };
  const { body } = await call<Outcome>("POST", "/sources/batch", { body: lines, headers });
  expect(body).toMatchObject({ accepted: [{ index: 2, sourceId: "a" }], failed: [{ index: 0 }, { index: 1 }] });
});

test("an unknown field of a source in a batch is ignored and named", async () => {
  await useNewCompany();
  const sources = [document("a", "One."), document("b", "Two.", { audiance: ["staff"], metadata: { colour: "red" } })];
  const { status, headers } = await call("POST", "/sources/batch?mrege=true", { body: { sources, wait: true } });
  expect(status).toBe(202);
  expect(headers.get("x-ragstone-ignored-fields")).toBe("mrege, sources.1.audiance, wait");
  const lines = await call("POST", "/sources/batch", {
    body: sources.map((source) => JSON.stringify(source)).join("\n"),
    headers: { "Content-Type": "application/x-ndjson" },
  });
  expect(lines.headers.get("x-ragstone-ignored-fields")).toBe("sources.1.audiance");
});

test("a batch makes sources visible to more audiences only when it says so", async () => {
  await useNewCompany();
  await call("PUT", "/sources", { body: document("a", "One.", { audience: ["staff"] }) });
  const body = { sources: [document("a", "One.", { audience: ["staff", "public"] }), document("b", "Two.")] };
  const refused = await call<Outcome>("POST", "/sources/batch", { body });
  expect(refused.body).toMatchObject({
    accepted: [{ sourceId: "b" }],
    failed: [{ sourceId: "a", issues: [{ path: "audience" }] }],
  });
  const widened = await call<Outcome>("POST", "/sources/batch?widen=true", { body });
  const changedLabels = [{ label: "audience", before: ["staff"], after: ["staff", "public"] }];
  const accepted = [
    { sourceId: "a", changedLabels },
    { sourceId: "b", unchanged: true },
  ];
  expect(widened.body).toMatchObject({ accepted, failed: [] });
});

test("a comparison tells what has to be sent and what is left over", async () => {
  await useNewCompany();
  const qa = { sourceType: "qa", sourceId: "qa", question: "Who?", answer: "Us.", alternatives: ["Whom?"] };
  const sources = [
    document("x/same", "Same."),
    document("x/changed", "Old."),
    document("x/old", "Left over."),
    document("y", "Elsewhere."),
    qa,
  ];
  await call("POST", "/sources/batch", { body: { sources } });
  await call("PUT", "/sources/file?sourceId=x/file.txt", { body: "The file." });
  await work(scope);
  await call("PUT", "/sources/file?sourceId=x/empty.txt", { body: "" });
  await work(scope);
  await call("PUT", "/sources", { body: document("x/pending", "Pending.") });
  const given = [
    { sourceId: "x/same", sha256: sha256("x/same\n\nSame.") },
    { sourceId: "x/changed", sha256: sha256("x/changed\n\nNew.") },
    { sourceId: "x/missing", sha256: sha256("") },
    { sourceId: "x/pending", sha256: sha256("x/pending\n\nPending.") },
    { sourceId: "x/file.txt", sha256: sha256("The file.").toUpperCase() },
    { sourceId: "x/empty.txt", sha256: sha256("") },
    { sourceId: "qa", sha256: sha256("Who?\n\nUs.\n\nWhom?") },
  ];
  const { body } = await call("POST", "/sources/diff", { body: { prefix: "x/", sources: given } });
  expect(body).toEqual({
    missing: ["x/missing"],
    changed: ["x/changed", "x/empty.txt"],
    unchanged: ["x/same", "x/file.txt", "qa"],
    pending: ["x/pending"],
    extra: ["x/old"],
    hasMoreExtra: false,
  });
  const ingesting = await apiCaller(web.address(), scope, { scopes: ["ingest"] });
  const answer = await ingesting("POST", "/sources/diff", { body: { prefix: "x/", sources: given } });
  expect(answer.body).toEqual({ ...body, extra: [] });
});

test("10,000 sources are compared together, and no more", async () => {
  await useNewCompany();
  await call("PUT", "/sources", { body: document("s1", "One.") });
  const sources = Array.from({ length: 10_000 }, (_, i) => ({ sourceId: `s${i}`, sha256: sha256(`s${i}\n\nOne.`) }));
  const { body } = await call<Record<string, string[]>>("POST", "/sources/diff", { body: { sources } });
  expect(body.missing).toHaveLength(9_999);
  expect(body).toMatchObject({ pending: ["s1"], changed: [], unchanged: [], extra: [] });
  const more = { sources: [...sources, { sourceId: "more", sha256: sha256("") }] };
  expect((await call("POST", "/sources/diff", { body: more })).status).toBe(422);
});

test("a deletion in bulk needs its number", async () => {
  await useNewCompany();
  await call("POST", "/sources/batch", {
    body: { sources: ["a/1", "a/2", "a/3", "b/1"].map((id) => document(id, "Text")) },
  });
  const some = { prefix: "a/", except: ["a/2"] };
  const refused = await call("POST", "/sources/delete", { body: some });
  expect(refused).toMatchObject({ status: 422, body: { confirm: 2, issues: [{ path: "confirm" }] } });
  expect((await call("POST", "/sources/delete", { body: { ...some, confirm: 3 } })).status).toBe(422);
  const { body } = await call<{ deleted: string[] }>("POST", "/sources/delete", { body: { ...some, confirm: 2 } });
  expect(body.deleted.toSorted()).toEqual(["a/1", "a/3"]);
  const left = await call<{ sources: { sourceId: string }[] }>("GET", "/sources");
  expect(left.body.sources.map(({ sourceId }) => sourceId).toSorted()).toEqual(["a/2", "b/1"]);
  const named = { sourceIds: ["b/1"], prefix: null, except: null, confirm: 1 };
  expect((await call("POST", "/sources/delete", { body: named })).body).toEqual({ deleted: ["b/1"] });
  const below = { sourceIds: null, prefix: "a/", except: null, confirm: 1 };
  expect((await call("POST", "/sources/delete", { body: below })).body).toEqual({ deleted: ["a/2"] });
  for (const body of [{ confirm: 0 }, { prefix: "", confirm: 1 }, { prefix: "a", sourceIds: ["b/1"], confirm: 1 }]) {
    expect((await call("POST", "/sources/delete", { body })).status).toBe(422);
  }
});

test("a file is put as the body, with its labels in the query", async () => {
  await useNewCompany();
  const query = `sourceId=${encodeURIComponent("docs/marl.md")}&audience=staff&audience=board&path=A&metadata=${encodeURIComponent('{"page":1}')}`;
  const put = await call<{ id: string }>("PUT", `/sources/file?${query}`, { body: "# Marl\n\nA mudstone." });
  expect(put).toMatchObject({ status: 202, body: { sourceId: "docs/marl.md", unchanged: false } });
  await work(scope);
  expect((await call("GET", `/sources/${put.body.id}`)).body).toMatchObject({
    status: "ready",
    title: "Marl",
    audience: ["staff", "board"],
    path: ["A"],
    metadata: { page: 1 },
    file: { name: "marl.md", bytes: 19, sha256: sha256("# Marl\n\nA mudstone.") },
  });
  const original = await call<string>("GET", `/sources/${put.body.id}/original`);
  expect(original.body).toBe("# Marl\n\nA mudstone.");
  expect(original.headers.get("content-disposition")).toContain("marl.md");
  expect((await call("PUT", "/sources/file", { body: "Text" })).body).toMatchObject({ issues: [{ path: "sourceId" }] });
  const bad = await call("PUT", "/sources/file?sourceId=a&metadata=x&as=answers", { body: "Text" });
  expect(bad.body).toMatchObject({ issues: [{ path: "metadata" }, { path: "as" }] });
  await call("DELETE", `/sources/${put.body.id}`);
  expect((await call("GET", `/sources/${put.body.id}/original`)).status).toBe(404);
});

test("an empty value in the query of a file is an empty list", async () => {
  await useNewCompany();
  const put = await call<{ id: string }>("PUT", "/sources/file?sourceId=a.txt&audience=&path=", { body: "Text" });
  expect((await call("GET", `/sources/${put.body.id}`)).body).toMatchObject({ audience: [], path: [] });
  const several = await call("PUT", "/sources/file?sourceId=a.txt&audience=staff&audience=", { body: "Text" });
  expect(several).toMatchObject({ status: 422, body: { issues: [{ path: "audience.1" }] } });
});

test("a file is put as a form, whatever the order of its parts", async () => {
  await useNewCompany();
  const file = new Blob(["# Marl\r\n--x\r\n\r\nA mudstone."]);
  const labels = JSON.stringify({ audience: ["staff"], sourceId: "docs/marl.md" });
  for (const order of ["file first", "labels first"]) {
    const form = new FormData();
    if (order === "labels first") form.set("labels", labels);
    form.set("file", file, 'ma"rl.md');
    if (order === "file first") form.set("labels", labels);
    const put = await call("PUT", "/sources/file", { body: form });
    expect(put.body, order).toMatchObject({ sourceId: "docs/marl.md", unchanged: order === "labels first" });
  }
  const named = new FormData();
  named.set("file", file, "named.md");
  expect((await call("PUT", "/sources/file", { body: named })).body).toMatchObject({ sourceId: "named.md" });
  expect((await call("PUT", "/sources/file", { body: new FormData() })).status).toBe(422);
});

test("unknown parts of a form and unknown labels are ignored and named", async () => {
  await useNewCompany();
  const form = new FormData();
  form.set("file", new Blob(["Text"]), "a.txt");
  form.set("audience", "staff");
  form.set("labels", JSON.stringify({ audiance: ["staff"], path: ["A"], metadata: { colour: "red" } }));
  const { status, headers } = await call("PUT", "/sources/file?colour=red", { body: form });
  expect(status).toBe(202);
  expect(headers.get("x-ragstone-ignored-fields")).toBe("colour, audience, labels.audiance");
});

test("a file above the limit is refused while it is read", async () => {
  await useNewCompany();
  const { status } = await call("PUT", "/sources/file?sourceId=big.txt", { body: new Uint8Array(FILE_BYTES_MAX + 1) });
  expect(status).toBe(413);
});

test("rows of a file of questions are accepted or refused one by one", async () => {
  await useNewCompany();
  const csv = "question,answer,sourceId\nWho?,Us.,who\nWhere?,,where\nWhen?,Now.,when\n";
  const { status, body } = await call("PUT", "/sources/file?sourceId=faq.csv&as=questions", { body: csv });
  expect(status).toBe(202);
  expect(body).toMatchObject({
    accepted: [
      { row: 2, sourceId: "who" },
      { row: 4, sourceId: "when" },
    ],
    failed: [{ row: 3 }],
  });
  const none = await call("PUT", "/sources/file?sourceId=faq.csv&as=questions", { body: "a,b\n1,2\n" });
  expect(none.status).toBe(422);
  const conditional = { body: csv, headers: { "If-Match": "*" } };
  expect(await call("PUT", "/sources/file?sourceId=faq.csv&as=questions", conditional)).toMatchObject({
    ...{ status: 422, body: { message: expect.stringContaining("If-Match") } },
  });
});

test("rows of a file of questions have the metadata that was sent for the file", async () => {
  await useNewCompany();
  const form = new FormData();
  form.set("file", new Blob(["question,answer\nWho?,Us.\n"]), "faq.csv");
  form.set("labels", JSON.stringify({ metadata: { region: "EU" } }));
  const idOf = async (query: string) =>
    (await call<{ accepted: { id: string }[] }>("PUT", `/sources/file?as=questions${query}`, { body: form })).body
      .accepted[0]?.id;
  const id = await idOf("");
  expect((await call("GET", `/sources/${id}`)).body).toMatchObject({ metadata: { region: "EU" } });
  await idOf(`&metadata=${encodeURIComponent('{"region":"UK"}')}`);
  expect((await call("GET", `/sources/${id}`)).body).toMatchObject({ metadata: { region: "UK" } });
});

test("the audience of a request is confirmed for its rows, but not the audience of a row", async () => {
  await useNewCompany();
  const put = (query: string, body: string) =>
    call<Outcome>("PUT", `/sources/file?sourceId=faq.csv&as=questions${query}`, { body });
  const csv = "question,answer,sourceId\nWho?,Us.,who\n";
  await put("&audience=staff", csv);
  expect(await put("&audience=staff&audience=public", csv)).toMatchObject({
    ...{ status: 202, body: { accepted: [{ changedLabels: [{ label: "audience", after: ["staff", "public"] }] }] } },
  });
  const row = "question,answer,sourceId,audience\nWho?,Us.,who,board\n";
  expect(await put("&audience=staff", row)).toMatchObject({ status: 422 });
});

test("a file of questions may have any identifier, from which its rows derive theirs", async () => {
  await useNewCompany();
  const csv = "question,answer\nWho?,Us.\n";
  const idOf = ({ body }: { body: Partial<Outcome> }) => body.accepted?.[0]?.sourceId;
  const bare = await call<Outcome>("PUT", "/sources/file?sourceId=faq&as=questions", { body: csv });
  expect(bare).toMatchObject({ status: 202, body: { accepted: [{ row: 2 }] } });
  const form = new FormData();
  form.set("file", new Blob([csv]), "export.csv");
  const named = await call<Outcome>("PUT", "/sources/file?sourceId=faq&as=questions", { body: form });
  expect(named).toMatchObject({ status: 200, body: { accepted: [{ unchanged: true }] } });
  expect(idOf(named)).toBe(idOf(bare));

  const book = makeXlsx({
    Sheet1: [
      ["question", "answer"],
      ["When?", "Now."],
    ],
  });
  const workbook = await call<Outcome>("PUT", "/sources/file?sourceId=faq.v2&as=questions", { body: book });
  expect(workbook).toMatchObject({ status: 202, body: { accepted: [{ row: 2 }] } });
  const other = await call("PUT", "/sources/file?sourceId=faq&as=questions", { body: "%PDF-1.7" });
  expect(other).toMatchObject({
    status: 422,
    body: { message: expect.stringMatching(/^The file is neither CSV nor /) },
  });
});
