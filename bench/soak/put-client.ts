import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { messageOf } from "../../lib/errors.ts";
import { answerFault } from "./answer-fault.ts";
import type { Restartable } from "./restartable.ts";

const WAIT_MAX_MS = 300_000;
const RETRY_AFTER_MS = 200;
const TIMEOUT_MS = 30_000;

/** The URL and the state of a product that may be killed. */
export type Target = Pick<Restartable, "url" | "isUp">;

/** A response to a PUT; status 0 when the connection broke. */
interface PutAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** How the first try of an upload is sent. */
interface Halves {
  /** Called when the server has the first half. */
  onHalf(): void;
  /** The second half waits for this. */
  rest: Promise<void>;
}

/**
 * Puts sources over HTTP as a careful client does: it repeats a PUT with the same identifier and content until the
 * source is accepted, even after a lost connection.
 */
export class PutClient {
  readonly #target: Target;
  readonly #token: string;
  readonly #waiting = new Set<object>();
  /** Answers other than accepted sources and correct refusals, while the server ran. */
  readonly faults: string[] = [];
  /** The messages of refusals for a full disk. */
  readonly diskFull: string[] = [];
  puts = 0;
  /** How often the database was unavailable for a PUT. */
  refused = 0;

  constructor(target: Target, token: string) {
    this.#target = target;
    this.#token = token;
  }

  /** Number of PUTs that are sent and not answered. */
  underWay(): number {
    return this.#waiting.size;
  }

  /** Puts a document. @returns the identifier of its version */
  put(sourceId: string, content: string): Promise<string> {
    const body = JSON.stringify({ sourceType: "document", sourceId, title: sourceId, content });
    return this.#untilAccepted(() => this.#send("", "application/json", (sent) => sent.end(body)));
  }

  /** Uploads a Markdown file. @param halves makes the first try stop in the middle */
  upload(sourceId: string, content: string, halves?: Halves): Promise<string> {
    let first = halves;
    const middle = content.length / 2;
    return this.#untilAccepted(() =>
      this.#send(`/file?${new URLSearchParams({ sourceId })}`, "text/markdown", (sent) => {
        if (!first) return sent.end(content);
        sent.write(content.slice(0, middle), first.onHalf);
        void first.rest.then(() => sent.end(content.slice(middle)));
        first = undefined;
      }),
    );
  }

  async #untilAccepted(send: () => Promise<PutAnswer>): Promise<string> {
    this.puts++;
    const until = performance.now() + WAIT_MAX_MS;
    for (;;) {
      const [wasUp, url] = [this.#target.isUp(), this.#target.url()];
      const answer = await send();
      const { status, body } = answer;
      if (status === 200 || status === 202) return String(Object(JSON.parse(body)).versionId);
      if (wasUp && this.#target.isUp() && url === this.#target.url()) this.#note(answer);
      if (performance.now() > until) throw new Error(`A PUT was not accepted: ${status} ${body}`);
      await setTimeout(RETRY_AFTER_MS);
    }
  }

  #note(answer: PutAnswer): void {
    const { status, body } = answer;
    if (status === 507) this.diskFull.push(body);
    else if (status === 503) this.refused++;
    const fault = status === 0 ? `lost connection (${body})` : answerFault(answer, null);
    if (fault && status !== 507) this.faults.push(fault);
  }

  /** A connection of its own, so that a killed server breaks exactly the requests that it had. */
  #send(query: string, type: string, write: (sent: ReturnType<typeof request>) => void): Promise<PutAnswer> {
    const { promise, resolve } = Promise.withResolvers<PutAnswer>();
    const lost = (error: unknown) => resolve({ status: 0, headers: new Headers(), body: messageOf(error) });
    const sent = request(`${this.#target.url()}/v1/api/sources${query}`, {
      method: "PUT",
      agent: false,
      timeout: TIMEOUT_MS,
      headers: { Authorization: `Bearer ${this.#token}`, "Content-Type": type },
    });
    sent.on("response", (response) => {
      const retryAfter = response.headers["retry-after"];
      const headers = new Headers(retryAfter === undefined ? {} : { "retry-after": retryAfter });
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, headers, body }), lost);
    });
    sent.on("timeout", () => sent.destroy(new Error(`no answer in ${TIMEOUT_MS / 1_000} s`)));
    sent.on("error", lost);
    const waits = () => this.#waiting.add(sent);
    sent.once("finish", waits);
    write(sent);
    return promise.finally(() => {
      sent.off("finish", waits);
      this.#waiting.delete(sent);
    });
  }
}
