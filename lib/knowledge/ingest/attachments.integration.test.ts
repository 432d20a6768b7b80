import { beforeAll, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { testDatabase } from "../../testing/database.ts";
import { addFile, email, sourcesBelow } from "../../testing/emails.ts";
import { addAndIngest, ask, document, newCompany, workUntilDone } from "../../testing/knowledge.ts";
import { addFiles, type GivenFile } from "../intake/add.ts";
import { reindexSource, relabelSource } from "../intake/relabel.ts";
import { deleteManaged } from "../manage/delete-many.ts";
import { diffSources } from "../manage/diff.ts";
import { makeMsg } from "../parse/msg-fixtures.ts";
import { restoreSource } from "../restore.ts";
import { deleteSource } from "../service.ts";
import { SOURCE_ID_MAX } from "../values.ts";

testDatabase();

let scope: TenantScope;
beforeAll(async () => {
  scope = await newCompany();
});

const add = (file: GivenFile) => addFile(scope, file);
const listed = (prefix: string) => sourcesBelow(scope, prefix);

describe("an email", () => {
  it("of Outlook has its readable attachments as sources", async () => {
    const attachments = [
      { name: "terms.txt", bytes: Buffer.from("The narwhal clause ends in June.") },
      { name: "elsewhere.docx" },
    ];
    const bytes = makeMsg({ subject: "Terms", body: "See the terms.", attachments });
    await add({ sourceId: "outlook/mail.msg", bytes, audience: ["staff"] });
    const sources = await listed("outlook/");
    expect([...sources.keys()].toSorted()).toEqual(["outlook/mail.msg", "outlook/mail.msg/terms.txt"]);
    expect(sources.get("outlook/mail.msg/terms.txt")).toMatchObject({ audience: ["staff"], status: "ready" });
    const { response } = await ask(scope, { queryText: "When does the narwhal clause end?", limit: 1 });
    expect(response.results[0]?.payload).toMatchObject({ sourceId: "outlook/mail.msg/terms.txt" });
  });

  it("has its readable attachments as sources with its labels", async () => {
    await add({ sourceId: "a/mail.eml", bytes: email("See the terms."), audience: ["staff"], path: ["Mail"] });
    const sources = await listed("a/");
    expect([...sources.keys()].toSorted()).toEqual(["a/mail.eml", "a/mail.eml/terms.txt"]);
    const facts = {
      subject: "Our terms",
      from: "Ada <ada@example.com>",
      to: "grace@example.com",
      date: expect.any(String),
    };
    const labels = { audience: ["staff"], path: ["Mail"], metadata: facts, status: "ready" };
    for (const source of sources.values()) expect(source).toMatchObject(labels);
    const { response } = await ask(scope, {
      queryText: "When does the walrus clause end?",
      filters: { audience: "staff" },
    });
    expect(response.results[0]?.payload).toMatchObject({
      sourceId: "a/mail.eml/terms.txt",
      metadata: { from: facts.from },
    });
    const before = { metadata: { date: { before: "2026-03-03" }, subject: "Our terms" } };
    expect((await ask(scope, { queryText: "terms", filters: before })).response.total).toBe(2);
  });

  it("has attachments whose names are too long for an identifier, and finds them again", async () => {
    const sourceId = `n/${"🦭".repeat(250)}/mail.msg`;
    const names = ["terms.txt", "terms.md", `${"plan ".repeat(120)}2026.csv`];
    const send = async (text: string) => {
      const attachments = names.map((name) => ({ name, bytes: Buffer.from(`${text},of\n${name},it`) }));
      await add({ sourceId, bytes: makeMsg({ subject: text, body: text, attachments }) });
      return [...(await listed("n/")).values()].toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
    };
    const first = await send("First");
    expect(first).toHaveLength(4);
    for (const { sourceId: id } of first) expect(id.length).toBeLessThanOrEqual(SOURCE_ID_MAX);
    expect(first.map(({ status }) => status)).toEqual(["ready", "ready", "ready", "ready"]);
    const endings = first.map(({ sourceId: id }) => id.slice(id.lastIndexOf("."))).toSorted();
    expect(endings).toEqual([".csv", ".md", ".msg", ".txt"]);
    const second = await send("Second");
    const ids = (of: typeof first) => of.map(({ id, sourceId }) => ({ id, sourceId }));
    expect(ids(second)).toEqual(ids(first));
    expect(second.map(({ versionId }) => versionId)).not.toEqual(first.map(({ versionId }) => versionId));
  });

  it("keeps the caller's metadata, and is skipped when it is sent again unchanged", async () => {
    const file = { sourceId: "b.eml", bytes: email("Hello.", []), metadata: { subject: "Mine", region: "EU" } };
    await add(file);
    const metadata = { subject: "Mine", region: "EU", from: "Ada <ada@example.com>" };
    expect((await listed("b.eml")).get("b.eml")).toMatchObject({ metadata });
    expect(await add(file)).toMatchObject({ unchanged: true });
    expect(await add({ sourceId: "b.eml", bytes: file.bytes })).toMatchObject({ unchanged: true });
    const [relabelled] = await addFiles(scope, SYSTEM_ACTOR, [{ ...file, metadata: { region: "UK" } }]);
    expect(relabelled).toMatchObject({ unchanged: false, status: "ready" });
    const { metadata: after } = (await listed("b.eml")).get("b.eml") ?? {};
    expect(after).toMatchObject({ region: "UK", from: "Ada <ada@example.com>" });
  });

  it("loses an attachment with its next version, and relabels the others", async () => {
    const added = await add({ sourceId: "c.eml", bytes: email("Both."), audience: ["staff"] });
    const relabelled = await relabelSource(scope, SYSTEM_ACTOR, added?.id ?? "", { audience: ["public"] });
    await workUntilDone(scope, [relabelled]);
    for (const source of (await listed("c.eml")).values()) expect(source.audience).toEqual(["public"]);
    await add({ sourceId: "c.eml", bytes: email("None.", []) });
    expect([...(await listed("c.eml")).keys()]).toEqual(["c.eml"]);
  });

  it("relabels its attachments immediately, whether it can be read again or not", async () => {
    const added = await add({ sourceId: "f.eml", bytes: email("Both."), audience: ["staff", "team"] });
    await relabelSource(scope, SYSTEM_ACTOR, added?.id ?? "", { audience: ["team"] });
    for (const source of (await listed("f.eml")).values()) {
      expect(source).toMatchObject({ audience: ["team"], status: "ready" });
    }
    await deleteSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    await restoreSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    expect((await listed("f.eml/")).get("f.eml/terms.txt")?.audience).toEqual(["team"]);
  });

  it("leaves an attachment the labels that it was given by itself", async () => {
    const added = await add({ sourceId: "g.eml", bytes: email("Both."), audience: ["staff", "team"] });
    const [terms] = (await listed("g.eml/")).values();
    await relabelSource(scope, SYSTEM_ACTOR, terms?.id ?? "", { audience: ["team"], metadata: { region: "EU" } });
    await workUntilDone(scope, [await reindexSource(scope, SYSTEM_ACTOR, added?.id ?? "")]);
    await add({ sourceId: "g.eml", bytes: email("Both again.") });
    await relabelSource(scope, SYSTEM_ACTOR, added?.id ?? "", { contentCategory: "mail" });
    const kept = (await listed("g.eml/")).get("g.eml/terms.txt");
    expect(kept).toMatchObject({ audience: ["team"], contentCategory: "mail" });
    expect(kept?.metadata).toMatchObject({ region: "EU", subject: "Our terms" });
  });

  it("neither replaces nor deletes another source by an attachment of its name", async () => {
    await addAndIngest(scope, document("articles/terms.txt", "The badger clause is secret.", { audience: ["staff"] }));
    await add({ sourceId: "articles", bytes: email("Mine now."), audience: ["public"] });
    const unchanged = { audience: ["staff"], attachedTo: null, title: "articles/terms.txt" };
    expect((await listed("articles/")).get("articles/terms.txt")).toMatchObject(unchanged);
    await add({ sourceId: "articles", bytes: email("Nothing attached.", []), audience: ["public"] });
    expect((await listed("articles/")).get("articles/terms.txt")).toMatchObject(unchanged);
  });

  it("keeps no attachments when text takes its place", async () => {
    await add({ sourceId: "h.eml", bytes: email("Both.") });
    expect((await listed("h.eml/")).size).toBe(1);
    await addAndIngest(scope, document("h.eml", "A text."));
    expect((await listed("h.eml/")).size).toBe(0);
  });

  it("is compared and pruned without its attachments", async () => {
    await add({ sourceId: "e/mail.eml", bytes: email("Stays.") });
    const { extra } = await diffSources(scope, SYSTEM_ACTOR, { prefix: "e/", sources: [] });
    expect(extra).toEqual(["e/mail.eml"]);
    expect(await deleteManaged(scope, SYSTEM_ACTOR, { prefix: "e/", confirm: 1 })).toEqual(["e/mail.eml"]);
    expect((await listed("e/")).size).toBe(0);
  });

  it("leaves an attachment that a deletion in bulk excepts as a source of its own", async () => {
    const added = await add({ sourceId: "p/mail.eml", bytes: email("Gone.", ["terms.txt", "plan.txt"]) });
    const kept = "p/mail.eml/plan.txt";
    const deletion = { prefix: "p/", except: [kept] };
    expect(await deleteManaged(scope, SYSTEM_ACTOR, { ...deletion, confirm: 1 })).toEqual(["p/mail.eml"]);
    const left = await listed("p/");
    expect([...left.keys()]).toEqual([kept]);
    expect(left.get(kept)).toMatchObject({ attachedTo: null, served: true });
    expect(await deleteManaged(scope, SYSTEM_ACTOR, { ...deletion, confirm: 0 })).toEqual([]);
    await restoreSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    expect([...(await listed("p/")).keys()].toSorted()).toEqual(["p/mail.eml", kept, "p/mail.eml/terms.txt"]);
    expect((await listed("p/")).get(kept)).toMatchObject({ attachedTo: added?.id });
  });

  it("inside an email is read, without its own attachments", async () => {
    const inner = email("Inner.").toString("base64");
    const part = `Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=inner.eml\r\nContent-Transfer-Encoding: base64\r\n\r\n${inner}`;
    const outer = email("Outer.", []).toString().replace("--b--", `--b\r\n${part}\r\n--b--`);
    await add({ sourceId: "f.eml", bytes: Buffer.from(outer) });
    expect([...(await listed("f.eml")).keys()].toSorted()).toEqual(["f.eml", "f.eml/inner.eml"]);
  });
});

it("front matter is metadata, with its types", async () => {
  const content = "---\ntitle: Own\nregion: EU\nyear: 2024\ndraft: false\n---\n\nFront matter text.";
  await addAndIngest(scope, document("front", content, { metadata: { region: "UK" } }));
  expect((await listed("front")).get("front")?.metadata).toEqual({ region: "UK", year: 2024, draft: false });
  const { response } = await ask(scope, { queryText: "front matter", filters: { metadata: { year: { gte: 2024 } } } });
  expect(response.results.map(({ payload }) => payload.sourceId)).toEqual(["front"]);
});
