import { setTimeout } from "node:timers/promises";
import { answerFault } from "./answer-fault.ts";
import type { Target } from "./put-client.ts";

const QUESTION_EVERY_MS = 250;
const TIMEOUT_MS = 30_000;

/** What the questions got while the web server was running. */
export interface Answers {
  asked: number;
  /** Correct refusals with 503. */
  refused: number;
  /** What was wrong with the other responses. */
  faults: string[];
}

/** Asks one question after the other until stopped, so that a busy machine is not overloaded. */
export function keepAsking(target: Target, token: string) {
  const answers: Answers = { asked: 0, refused: 0, faults: [] };
  let ended = false;
  const once = async () => {
    const [wasUp, url] = [target.isUp(), target.url()];
    const { status, fault } = await askOnce(url, token, "what does part 2 say?").then(
      async (response) => ({ status: response.status, fault: answerFault(response, await response.text()) }),
      () => ({ status: 0, fault: "lost connection" }),
    );
    if (!wasUp || !target.isUp() || url !== target.url()) return;
    answers.asked++;
    if (fault) answers.faults.push(fault);
    else if (status === 503) answers.refused++;
  };
  const asking = (async () => {
    while (!ended) {
      await once();
      await setTimeout(QUESTION_EVERY_MS);
    }
  })();
  return {
    async end(): Promise<Answers> {
      ended = true;
      await asking;
      return answers;
    },
  };
}

/** Sends one question and reads the whole response. */
export async function askOnce(url: string, token: string, queryText: string): Promise<Response> {
  const response = await fetch(`${url}/v1/api/rag/retrieve`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ queryText, limit: 10 }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body = await response.arrayBuffer();
  return new Response(body, response);
}
