/** Attacks by one company. Runs as a separate process until it is stopped. */
import { request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { COMPANY_HEADER } from "../../lib/auth/page-company.ts";
import { documents } from "../corpus.ts";
import { NO_LABELS } from "./product.ts";

/** The credentials of the attacking company. */
interface Attacker {
  url: string;
  token: string;
  cookie: string;
  companyId: string;
}

const QUESTIONS_AT_ONCE = 8;
const QUESTION_CHARACTERS = 8_000;
const DOCUMENTS_WAITING = 250;
const CSV_ROWS = 60_000;
const UPLOADS_AT_ONCE = 20;
const UPLOAD_BYTES = 10 * 1_024 * 1_024;
const SIGN_INS_AT_ONCE = 16;
/** Addresses to sign in from, because each address has its own limit. */
const ADDRESSES = 250;

type Attack = (attacker: Attacker) => Promise<unknown>;

const attacks = {
  "combining marks": ({ url, token }) => {
    const queryText = `a${"\u0301".repeat(QUESTION_CHARACTERS - 1)}`;
    return inParallel(QUESTIONS_AT_ONCE, () => ask(url, token, { queryText }));
  },
  "long questions": ({ url, token }) => {
    const words = documents(100)
      .map(({ content }) => content)
      .join(" ");
    return inParallel(QUESTIONS_AT_ONCE, (index) => {
      const queryText = words.slice(index, index + QUESTION_CHARACTERS);
      return ask(url, token, { queryText, limit: 50, useRerank: true, returnMode: "ai_generated_answer" });
    });
  },
  "250 documents": async (attacker) => {
    for (const { sourceId, content } of documents(DOCUMENTS_WAITING)) {
      await upload(attacker, `${sourceId}.md`, `${content}\n\n`.repeat(20));
    }
  },
  "a CSV of 60,000 rows": async (attacker) => {
    const rows = Array.from(
      { length: CSV_ROWS },
      (_, row) => `${row},Item ${row},Shelf ${row % 97} holds item ${row}.`,
    );
    await upload(attacker, "items.csv", ["number,name,note", ...rows].join("\n"));
  },
  "20 uploads at the same time": (attacker) => {
    const page = Buffer.alloc(UPLOAD_BYTES, "The parcel waits on the shelf until somebody asks for it.\n\n");
    return inParallel(UPLOADS_AT_ONCE, (index) => upload(attacker, `parcels-${index}.txt`, `${index}\n\n${page}`));
  },
  "sign-ins with wrong passwords": async ({ url }) => {
    const { host } = new URL(url);
    const { csrfToken, cookie } = await csrf(url);
    const body = `${new URLSearchParams({ csrfToken, email: "nobody@example.com", password: "wrong", json: "true" })}`;
    await inParallel(SIGN_INS_AT_ONCE, (index) => signIn(host, `127.0.1.${1 + (index % ADDRESSES)}`, cookie, body));
  },
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof attacks;
export const ATTACKS = Object.keys(attacks).filter(isAttack);

function isAttack(name: string): name is AttackName {
  return Object.hasOwn(attacks, name);
}

/** Runs this many endless sequences of calls in parallel. */
async function inParallel(chains: number, call: (index: number) => Promise<unknown>): Promise<void> {
  let index = 0;
  const chain = async () => {
    for (;;) await call(index++).catch(() => setTimeout(100));
  };
  await Promise.all(Array.from({ length: chains }, chain));
}

async function ask(url: string, token: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${url}/v1/api/rag/retrieve`, { method: "POST", headers, body: JSON.stringify(body) });
  await accepted(response);
}

/** Fails for a response that refuses the attack as malformed, because such an attack tests nothing. */
async function accepted(response: Response): Promise<void> {
  const body = await response.text();
  if (response.ok) return reportAnswer();
  if (response.status === 429 || response.status >= 500) throw new Error(`Refused for now: ${response.status}`);
  console.error(`The attack is not valid: ${response.status} ${body}`);
  process.exit(1);
}

/** Tells the parent process that the product has handled one request of the attack. */
function reportAnswer(): void {
  process.send?.("answered");
}

async function upload({ url, cookie, companyId }: Attacker, name: string, text: string): Promise<void> {
  const response = await fetch(`${url}/knowledge/upload?${new URLSearchParams({ name, labels: NO_LABELS })}`, {
    method: "POST",
    headers: { cookie, origin: url, [COMPANY_HEADER]: companyId },
    body: text,
  });
  await accepted(response);
}

async function csrf(url: string) {
  const response = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = Object(await response.json());
  const cookies = response.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
  return { csrfToken: String(csrfToken), cookie: cookies.join("; ") };
}

function signIn(host: string, localAddress: string, cookie: string, body: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = { cookie, "content-type": "application/x-www-form-urlencoded" };
  const url = `http://${host}/api/auth/callback/credentials`;
  const sent = request(url, { method: "POST", headers, localAddress, family: 4 }, (response) => {
    response.resume().once("end", () => {
      reportAnswer();
      resolve();
    });
  });
  sent.once("error", reject).end(body);
  return promise;
}

if (import.meta.main) {
  process.once("message", (message) => {
    const { name, attacker }: { name: AttackName; attacker: Attacker } = Object(message);
    void attacks[name](attacker);
  });
  process.once("disconnect", () => process.exit(0));
}
