import { sql } from "drizzle-orm";
import { createKey } from "../api-keys/service.ts";
import { type Actor, SYSTEM_ACTOR } from "../audit/record.ts";
import { updateCompanySettings } from "../companies/service.ts";
import { connection } from "../db/client.ts";
import type { TrialOutcome } from "../db/stored-tests.ts";
import type { TenantScope } from "../db/tenant.ts";
import { addFiles } from "../knowledge/intake/add.ts";
import { relabelSources } from "../knowledge/intake/relabel.ts";
import { suggestContent } from "../knowledge/suggestions/suggest.ts";
import { holdUpload } from "../knowledge/uploads/hold.ts";
import { invite, listInvitations } from "../members/links.ts";
import { createMember } from "../members/service.ts";
import { runInPlayground } from "../playground/run.ts";
import { retrieveRequest } from "../retrieval/schema.ts";
import { returnValueOf } from "../return-value-of.ts";
import { withSpooled } from "../storage/spool.ts";
import { startTestRun } from "../test-questions/runs.ts";
import { listTestQuestions, saveTestQuestion } from "../test-questions/service.ts";
import { storeTrial } from "../test-questions/trials.ts";
import { listGaps } from "../usage/gaps/list.ts";
import { refreshGaps } from "../usage/gaps/refresh.ts";
import { flushQueryLog, recordKnowledgeCall } from "../usage/record.ts";
import { listReports, reportAnswer } from "../usage/report.ts";
import { addAndIngest, ask, document, newCompany, work, workUntilDone } from "./knowledge.ts";

/** A company with something in every table; the ids name one row each. */
export interface FilledCompany {
  scope: TenantScope;
  /** A word in all data of this company, and in no other. */
  word: string;
  /** Occurs next to the word in the knowledge. A probe may use it, because echoing it reveals nothing. */
  alias: string;
  admin: Actor;
  support: Actor;
  sourceId: string;
  /** The same source by the caller's identifier. */
  externalId: string;
  /** The question of another source. */
  question: string;
  qaSourceId: string;
  /** A source made from a file. */
  fileSourceId: string;
  versionId: string;
  /** A change of the labels of two sources. */
  relabelId: string;
  chunkId: string;
  keyId: string;
  userId: string;
  invitationId: string;
  requestId: string;
  reportId: string;
  /** Unanswered questions. */
  gapId: string;
  /** A suggested question. */
  suggestionId: string;
  testQuestionId: string;
  /** An upload that is not attached. */
  heldId: string;
}

/** The caller's identifier of the document. Errors may repeat it, so it does not contain the word. */
const paperOf = (word: string) => `paper-${word.length}`;

const aliasOf = (word: string) => [...word].reverse().join("");

const NOTHING_ASKED: TrialOutcome = {
  ...{ asked: 0, better: 0, worse: 0, winner: null, probability: 1 },
  passed: { now: 0, proposed: 0 },
};

/** What the members of a company sign in with. */
export const passwordOf = (word: string) => `granite marl ${aliasOf(word)}`;

/**
 * Creates a company with data in every table.
 * @param word in lower case, letters only
 */
export async function filledCompany(word: string): Promise<FilledCompany> {
  const scope = await newCompany(`Company ${word}`);
  await updateCompanySettings(scope, SYSTEM_ACTOR, { defaultAudience: [word] });
  const key = await createKey(scope, SYSTEM_ACTOR, { name: word });
  const admin = await member(scope, word, "admin");
  const support = await member(scope, word, "support");
  const knowledge = await addKnowledge(scope, word, admin);
  await invite(scope, SYSTEM_ACTOR, { email: `guest@${word}.example`, role: "support" });
  const [invitation] = await listInvitations(scope, SYSTEM_ACTOR);
  const requestId = crypto.randomUUID();
  const request = retrieveRequest.parse({ queryText: `what is ${word}?` });
  const { response } = await ask(scope, { queryText: request.queryText }, { requestId, apiKeyId: key.id });
  await returnValueOf(runInPlayground(scope, admin, { requestId: crypto.randomUUID(), request, keyId: key.id }));
  recordKnowledgeCall(scope.companyId, { apiKeyId: key.id, via: "api", failed: false });
  await flushQueryLog();
  await reportAnswer(scope, admin, { requestId, question: word, answer: word, note: word });
  const held = await withSpooled(bytesOf(word), (file) =>
    holdUpload(scope, SYSTEM_ACTOR, { file, fileName: `${word}.txt`, purpose: word }),
  );
  const suggestionId = await suggestContent(scope, admin, {
    ...{ sourceId: null, note: word, requestId },
    content: { kind: "qa", question: `Who is ${word}?`, answer: word, alternatives: [] },
  });
  await refreshGaps(scope);
  const { gaps } = await listGaps(scope, SYSTEM_ACTOR, "open");
  await saveTestQuestion(scope, SYSTEM_ACTOR, { id: null, question: `what is ${word}?`, facts: [word] });
  await startTestRun(scope, admin);
  await storeTrial(scope, admin, { saved: {}, proposed: { refusalText: word }, outcome: NOTHING_ASKED });
  await work(scope);
  const { rows } = await listTestQuestions(scope, SYSTEM_ACTOR, { state: null, search: "" }, 1);
  const { reports } = await listReports(scope, SYSTEM_ACTOR);
  return {
    scope,
    word,
    alias: aliasOf(word),
    admin,
    support,
    ...knowledge,
    chunkId: response.results[0]?.id ?? "",
    keyId: key.id,
    userId: admin.id ?? "",
    invitationId: invitation?.id ?? "",
    requestId,
    testQuestionId: rows[0]?.id ?? "",
    reportId: reports[0]?.id ?? "",
    gapId: gaps[0]?.id ?? "",
    suggestionId,
    heldId: held.id,
  };
}

/** Adds a document, a file and a question, and changes the labels of the first two. */
async function addKnowledge(scope: TenantScope, word: string, admin: Actor) {
  const [externalId, alias, question] = [paperOf(word), aliasOf(word), `Where is ${word} found?`];
  const bytes = Buffer.from(`# ${word}\n\nThe ${word} is a mineral.`);
  const files = await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: `${word}.md`, bytes }]);
  const labels = { title: word, audience: [word, alias], path: [alias, word], metadata: { word } };
  const paper = document(externalId, `What ${word} means, or ${alias}.`, labels);
  const written = await addAndIngest(scope, paper, { sourceType: "qa", question, answer: `In ${word} veins.` });
  await workUntilDone(scope, files);
  const [sourceId = "", qaSourceId = "", fileSourceId = ""] = [written[0]?.id, written[1]?.id, files[0]?.id];
  const relabelId = crypto.randomUUID();
  const relabelled = await relabelSources(
    scope,
    admin,
    [sourceId, fileSourceId],
    { contentCategory: word },
    { relabelId },
  );
  await workUntilDone(scope, relabelled);
  const versionId = relabelled.find(({ id }) => id === sourceId)?.versionId ?? "";
  return { sourceId, externalId, question, qaSourceId, fileSourceId, versionId, relabelId };
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

async function member(scope: TenantScope, word: string, role: "admin" | "support"): Promise<Actor> {
  const input = { email: `${role}@${word}.example`, name: `${role} ${word}`, role, password: passwordOf(word) };
  const { id } = await createMember(scope, SYSTEM_ACTOR, input);
  return { type: "user", id, name: input.name, companyId: scope.companyId, role };
}

/** All rows of a company, by table, including empty tables. */
export async function everythingOf({ companyId }: TenantScope): Promise<Record<string, string[]>> {
  const { db } = connection();
  const tables = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
    where c.relnamespace = 'ragstone'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`);
  const selects = tables.map(
    ({ name }) =>
      sql`select ${name}::text as name, t::text as row from ragstone.${sql.identifier(name)} t where company_id = ${companyId}`,
  );
  // one statement is faster than one for each table
  const rows = await db.execute<{ name: string; row: string }>(
    sql`${sql.join(selects, sql` union all `)} order by name, row`,
  );
  const byTable = Map.groupBy(rows, ({ name }) => name);
  return Object.fromEntries(tables.map(({ name }) => [name, (byTable.get(name) ?? []).map(({ row }) => row)]));
}
