import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startApiServer } from "../bench/soak/api-server.ts";
import type { WebServer } from "../scripts/serve/http-server.ts";
import { SYSTEM_ACTOR } from "./audit/record.ts";
import { AppError } from "./errors.ts";
import { signIn } from "./members/sign-in.ts";
import { outageOf } from "./outage/outage.ts";
import { apiCaller } from "./testing/api-caller.ts";
import { testDatabase } from "./testing/database.ts";
import { everythingOf, type FilledCompany, filledCompany, passwordOf } from "./testing/filled-company.ts";
import { document, work } from "./testing/knowledge.ts";
import { onReadOnlyDatabase } from "./testing/read-only-database.ts";
import { SERVICE_CALLS } from "./testing/service-calls.ts";
import { listRequests } from "./usage/log.ts";
import { flushQueryLog } from "./usage/record.ts";
import { runWorker } from "./worker/worker.ts";

testDatabase();

/** The names of service methods that only read, or that a request without changes needs. */
const READS =
  /^(?:ask|attached|browse|changesBefore|count|describe|diff|evalFolder|evaluate|export|find|first|follow|get|held|key|knowledge|last|list|log|matching|original|outcome|page|preview|progress|read|retrieve|rowIds|run|still|stream|summarize|testQuestionsAs|testRunHistory|textOf|trySettings|unfinished|usage|verified|whyNot)/;
const REFUSAL = { statusCode: 503, error: "ServiceUnavailable", message: expect.stringMatching(/accepts no changes/) };
const QUESTION = "Who is in the museum at noon?";

let company: FilledCompany;
let web: WebServer;
beforeAll(async () => {
  company = await filledCompany("pyroxene");
  await work(company.scope);
  web = await startApiServer();
});
afterAll(() => web.close(0));

/** What a caller would see of the call: `answered`, or the error. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "answered",
    (error: unknown) => (error instanceof AppError ? error : (outageOf(error) ?? error)),
  );
}

describe("while the database accepts no changes", () => {
  it("every service answers what it can read, and refuses changes with 503", async () => {
    const { scope, admin } = company;
    await flushQueryLog();
    const before = await everythingOf(scope);
    await onReadOnlyDatabase(async () => {
      const refused: string[] = [];
      for (const [name, [, call]] of Object.entries(SERVICE_CALLS)) {
        const outcome = await outcomeOf(call(scope, admin, company));
        if (outcome === "answered") continue;
        if (outcome instanceof AppError && outcome.statusCode < 500) continue;
        expect(outcome, name).toMatchObject(REFUSAL);
        refused.push(name);
      }
      expect(refused.filter((name) => READS.test(name))).toEqual([]);
      expect(refused.length).toBeGreaterThan(40);
      expect(await everythingOf(scope)).toEqual(before);
    });
  });

  it("the API answers questions, and logs them afterwards; a refused source can be put again", async () => {
    const call = await apiCaller(web.address(), company.scope, { scopes: ["retrieve", "ingest"] });
    const ask = (queryText: string, returnMode: string) =>
      call("POST", "/rag/retrieve", { body: { queryText, returnMode } });
    const put = () => call("PUT", "/sources", { body: document("late", "Late opening is on Fridays.") });
    const requestId = await onReadOnlyDatabase(async () => {
      expect((await ask(company.word, "ai_generated_answer")).status).toBe(200);
      const asked = await ask(QUESTION, "chunks_only");
      expect(asked).toMatchObject({ status: 200, body: { results: expect.arrayContaining([expect.anything()]) } });
      const refused = await put();
      expect(refused).toMatchObject({ status: 503, body: REFUSAL });
      expect(refused.headers.get("retry-after")).toBe("2");
      await flushQueryLog();
      return asked.headers.get("x-request-id") ?? "";
    });
    expect(await put()).toMatchObject({ status: 202, body: { unchanged: false } });
    await flushQueryLog();
    const filter = { days: 1, sender: null, outcome: null, search: requestId };
    expect((await listRequests(company.scope, SYSTEM_ACTOR, filter, 1)).rows).toMatchObject([{ id: requestId }]);
  });

  it("a sign-in is refused with 503, and not as a wrong password", async () => {
    const email = `admin@${company.word}.example`;
    const attempt = () => signIn({ email, password: passwordOf(company.word) });
    expect(await onReadOnlyDatabase(() => outcomeOf(attempt()))).toMatchObject(REFUSAL);
    expect(await attempt()).toMatchObject({ email });
  });

  it("a worker waits, and works afterwards", async () => {
    const call = await apiCaller(web.address(), company.scope, { scopes: ["ingest"] });
    const { body } = await call("PUT", "/sources", { body: document("queued", "The queue is short.") });
    const stop = new AbortController();
    const working = await onReadOnlyDatabase(async () => {
      const begun = runWorker({ signal: stop.signal, companyId: company.scope.companyId });
      expect((await call("GET", `/sources/${body.id}`)).body).toMatchObject({ status: "processing" });
      return { begun };
    });
    await vi.waitFor(
      async () => expect((await call("GET", `/sources/${body.id}`)).body).toMatchObject({ status: "ready" }),
      20_000,
    );
    stop.abort();
    await working.begun;
  });
});
