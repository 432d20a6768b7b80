import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { browseAudit } from "../audit/browse.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { updateCompanySettings } from "../companies/service.ts";
import { testCompany, testMember } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { ask } from "../testing/knowledge.ts";
import { countWaiting } from "./count-waiting.ts";
import { flushQueryLog } from "./record.ts";
import { listReports, REPORTS_PER_PAGE, reopenReport, reportAnswer, resolveReport } from "./report.ts";

testDatabase();
const REPORT = { question: "How long?", answer: "Thirty days [1].", note: "It is fourteen." };

test("a report stays until someone resolves it; then its text is gone, even from the audit log", async () => {
  const scope = await testCompany();
  const { actor } = await testMember(scope, "support", "Ada Marl");
  const requestId = randomUUID();
  await reportAnswer(scope, actor, { requestId, ...REPORT });
  const { total, reports } = await listReports(scope, SYSTEM_ACTOR);
  expect(total).toBe(1);
  expect(reports).toMatchObject([{ requestId, ...REPORT, memberName: "Ada Marl" }]);

  const id = reports[0]?.id ?? "";
  await resolveReport(scope, actor, id);
  await expect(resolveReport(scope, actor, id)).rejects.toMatchObject({ error: "Conflict" });
  expect(await listReports(scope, SYSTEM_ACTOR)).toEqual({ total: 0, page: 1, reports: [] });
  const history = [{ did: "resolved", by: "Ada Marl" }];
  expect(await listReports(scope, actor, { resolved: true })).toMatchObject({
    total: 1,
    reports: [{ history }],
  });

  await reopenReport(scope, actor, id);
  expect((await countWaiting(scope, actor)).reports).toBe(1);
  const [reopened] = (await listReports(scope, actor)).reports;
  expect(reopened).toMatchObject({ resolvedAt: null, history: [...history, { did: "reopened", by: "Ada Marl" }] });
  const { rows } = await browseAudit(scope, SYSTEM_ACTOR, {
    actor: "Ada Marl",
    action: null,
    from: null,
    to: null,
    page: 1,
  });
  expect(rows.map(({ action }) => action)).toEqual(["answer.reopened", "answer.resolved", "answer.reported"]);
  expect(JSON.stringify(rows)).not.toContain(REPORT.question);
});

test("a report says whether its request is still in the log, and whether it can be asked again", async () => {
  const scope = await testCompany();
  const { actor } = await testMember(scope, "support");
  const report = async (requestId: string) => reportAnswer(scope, actor, { requestId, ...REPORT });
  const logged = async () => {
    const requestId = randomUUID();
    await ask(scope, { queryText: REPORT.question }, { requestId });
    await report(requestId);
    return requestId;
  };
  const keepHashes = async (hashQueries: boolean) => {
    await flushQueryLog();
    await updateCompanySettings(scope, SYSTEM_ACTOR, { hashQueries });
  };
  const asText = await logged();
  await keepHashes(true);
  const asHash = await logged();
  await keepHashes(false);
  const expired = randomUUID();
  await report(expired);
  const listed = [
    { requestId: expired, isLogged: false, hasQuestion: false, canAskAgain: false },
    { requestId: asHash, isLogged: true, hasQuestion: false, canAskAgain: false },
    { requestId: asText, isLogged: true, hasQuestion: true, canAskAgain: true },
  ];
  expect((await listReports(scope, SYSTEM_ACTOR)).reports).toMatchObject(listed);
  // a new answer could not be compared
  await keepHashes(true);
  const none = listed.map((each) => ({ ...each, canAskAgain: false }));
  expect((await listReports(scope, SYSTEM_ACTOR)).reports).toMatchObject(none);
});

test("older reports are on the next pages", async () => {
  const scope = await testCompany();
  const { actor } = await testMember(scope, "support");
  const notes = Array.from({ length: REPORTS_PER_PAGE + 2 }, (_, index) => `Note ${index}`);
  for (const note of notes) await reportAnswer(scope, actor, { ...REPORT, requestId: randomUUID(), note });
  const first = await listReports(scope, actor);
  const second = await listReports(scope, actor, { page: 9 });
  expect(second).toMatchObject({ total: notes.length, page: 2, reports: [{ note: "Note 1" }, { note: "Note 0" }] });
  expect([...first.reports, ...second.reports].map(({ note }) => note)).toEqual(notes.toReversed());
});

test("only a member can report, and another company's report is not found", async () => {
  const scope = await testCompany();
  await expect(reportAnswer(scope, SYSTEM_ACTOR, { requestId: randomUUID(), ...REPORT })).rejects.toMatchObject({
    error: "Forbidden",
  });
  await expect(resolveReport(scope, SYSTEM_ACTOR, randomUUID())).rejects.toMatchObject({ error: "NotFound" });
});
