import { questions } from "../corpus.ts";
import { answerFault } from "./answer-fault.ts";
import type { Random } from "./random.ts";

interface Caller {
  url: string;
  token: string;
  /** The session cookie of an admin. */
  cookie: string;
}

/** One request of the mix with its response status; 0 when there was no response. */
export interface Answered {
  kind: "retrieve" | "status" | "page";
  status: number;
  /** What is wrong with the response, including a 200 without results or a degraded one. */
  fault: string | null;
  ms: number;
  /** Milliseconds since the run began. */
  at: number;
  requestId: string | null;
}

type Send = Omit<Answered, "ms" | "at">;

const PAGES = [
  "/overview",
  "/knowledge",
  "/playground",
  "/usage",
  "/usage/requests",
  "/settings/api-keys",
  "/settings/members",
] as const;

/** Number of different questions, so that some repeat as in real use. */
const QUESTIONS = 400;

/** @returns a function that sends one request of the mix: 85 % retrievals, 10 % status requests, 5 % pages */
export function createTraffic(random: Random, caller: Caller): () => Promise<Send> {
  const asked = questions(QUESTIONS, random.between(1, 1_000_000));
  return () => {
    const dice = random.next();
    if (dice < 0.05) return openPage(caller, random.pick(PAGES));
    if (dice < 0.15) return askStatus(caller);
    const queryText = asked[random.between(0, QUESTIONS - 1)];
    return retrieve(caller, { queryText, ...variant(dice) });
  };
}

function variant(dice: number): object {
  if (dice < 0.3) return { returnMode: "ai_generated_answer" };
  if (dice < 0.4) return { useRerank: true };
  if (dice < 0.55) return { filters: { audience: "copilot" } };
  return {};
}

async function retrieve({ url, token }: Caller, body: object): Promise<Send> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return send("retrieve", `${url}/v1/api/rag/retrieve`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function askStatus({ url, token }: Caller): Promise<Send> {
  return send("status", `${url}/v1/api/status`, { headers: { authorization: `Bearer ${token}` } });
}

async function openPage({ url, cookie }: Caller, path: string): Promise<Send> {
  return send("page", `${url}${path}`, { headers: { cookie }, redirect: "manual" });
}

async function send(kind: Answered["kind"], url: string, init: RequestInit): Promise<Send> {
  try {
    const response = await fetch(url, init);
    const body = await response.text();
    const { status, headers } = response;
    const fault = answerFault(response, kind === "retrieve" ? body : null);
    return { kind, status, fault, requestId: headers.get("x-request-id") };
  } catch {
    return { kind, status: 0, fault: "no response", requestId: null };
  }
}

/** Signs in as a browser does. @returns the `Cookie` header of the session */
export async function signIn(url: string, person: { email: string; password: string }): Promise<string> {
  const asked = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = Object(await asked.json());
  const body = new URLSearchParams({ csrfToken, ...person, json: "true" });
  const headers = { cookie: cookiesOf(asked) };
  const signedIn = await fetch(`${url}/api/auth/callback/credentials`, { method: "POST", headers, body });
  if (!signedIn.ok) throw new Error(`The sign-in was refused: ${await signedIn.text()}`);
  return cookiesOf(signedIn);
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}
