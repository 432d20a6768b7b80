import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { POST } from "../../app/v1/api/rag/retrieve/route.ts";
import { RUNNING_MODELS } from "../ai/models.ts";
import { createKey } from "../api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { log } from "../log.ts";
import { answerByProvider } from "../testing/answer-model.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, document, newCompany } from "../testing/knowledge.ts";
import { type ProviderServer, startProviderServer } from "../testing/provider-server.ts";
import { routeServer } from "../testing/serve-route.ts";
import { getRequest } from "../usage/log.ts";

testDatabase();
const serve = routeServer();

const REFUSAL = "I could not find an answer to this question in the knowledge base.";
const ASKED = { queryText: "When must I send the router back?", returnMode: "ai_generated_answer", limit: 2 };

let scope: TenantScope;
let token: string;
let provider: ProviderServer;
let answer: string;

beforeAll(async () => {
  scope = await newCompany();
  ({ token } = await createKey(scope, CLI_ACTOR, { name: "Checked" }));
  await addAndIngest(
    scope,
    document("router.md", "Send the router back within 14 days of the contract's end. The router must not be opened."),
    document("shops.md", "The shop in Trento takes the router back on Monday."),
  );
  provider = await startProviderServer({ answer: () => answer });
  answerByProvider(provider.url);
  vi.spyOn(log(), "warn").mockImplementation(() => undefined);
});

afterEach(() => {
  provider.calls.length = 0;
});

afterAll(async () => {
  RUNNING_MODELS.set();
  await provider.close();
});

/** What the API returns when the model writes this. */
async function answered(text: string, more: object = {}) {
  answer = text;
  const response = await fetch(await serve(POST), {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ ...ASKED, ...more }),
  });
  const { aiGeneratedAnswer } = await response.json();
  const logged = await getRequest(scope, SYSTEM_ACTOR, response.headers.get("x-request-id") ?? "");
  return {
    answer: aiGeneratedAnswer,
    degraded: response.headers.get("x-ragstone-degraded"),
    dropped: logged.trace?.dropped,
    logged: JSON.stringify(logged),
  };
}

const RIGHT = "Send the router back within 14 days of the contract's end [1].";

test.each([
  ["number", "The fee is €89 [1]."],
  ["date", "The shop takes it back on Friday [2]."],
  ["name", "Give it to our colleague Peter Miller [1]."],
  ["negation", "The router must be opened [1]."],
])("a wrong %s is dropped, and the trace says so", async (reason, wrong) => {
  const { answer, degraded, dropped, logged } = await answered(`${RIGHT} ${wrong}`);
  expect(answer).toBe(RIGHT);
  expect(degraded).toBeNull();
  expect(dropped).toEqual([reason]);
  expect(logged).not.toContain(wrong);
  expect(provider.calls).toHaveLength(1);
});

test("an answer of nothing but wrong facts is the refusal", async () => {
  expect(await answered("You have 99 days [1].")).toMatchObject({
    answer: REFUSAL,
    degraded: null,
    dropped: ["number"],
  });
});

test("context fields change the address and the product, never a fact", async () => {
  const context = {
    clientName: "Ada Rossi",
    clientServices: "Fibra 1000",
    clientPaymentHistory: "Paid 77 euros on 3 May.",
    clientCurrentChatHistory: "Agent: You may keep the router for 60 days.",
  };
  const addressed = "Dear Ada Rossi, with your Fibra 1000 you have 14 days [1].";
  const { answer, logged } = await answered(addressed, context);
  expect(answer).toBe(addressed);
  expect(JSON.parse(logged).answer).toBe("Dear [name], with your [name] you have 14 days [1].");
  expect(logged).not.toMatch(/Rossi|Fibra/);
  for (const wrong of ["You paid 77 euros [1].", "You have 60 days [1].", "The deadline is in May [1]."])
    expect((await answered(wrong, context)).answer).toBe(REFUSAL);
});

test.each([
  "companyName",
  "companyProductsNames",
  "clientName",
  "clientServices",
  "clientCurrentChatHistory",
  "clientOlderChatHistory",
  "clientPaymentHistory",
  "clientLogs",
])("%s is not evidence for a fact", async (field) => {
  const stated = ["77 days", "3 May", "the router must be opened"];
  const context = { [field]: field === "companyProductsNames" ? stated : stated.join(", ") };
  for (const wrong of ["You have 77 days [1].", "Send it back until 3 May [1].", "The router must be opened [1]."])
    expect((await answered(wrong, context)).answer).toBe(REFUSAL);
});

test("an answer in another language than the question is replaced by sentences of the chunks", async () => {
  const italian = "Il router deve essere restituito entro 14 giorni dalla fine del contratto [1][2].";
  const { answer, degraded } = await answered(italian);
  expect(answer).toMatch(/^Send the router back within 14 days/);
  expect(degraded).toBe("generation");
  const asked = { queryText: "Entro quanti giorni devo restituire il router?" };
  expect((await answered(italian, asked)).answer).toBe(italian);
  expect(JSON.stringify(provider.calls.at(-1)?.body)).toContain("the language of the question, Italian,");
});
