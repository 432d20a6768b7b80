import type { ResponsePromise } from "./response-promise.ts";
import { type RagstoneOptions, settingsOf } from "./settings.ts";
import { Sources } from "./sources.ts";
import { readParts, type StreamPart } from "./stream.ts";
import { createTransport, type RequestOptions, readJson, type Transport } from "./transport.ts";
import type { AnswerResponse, RetrieveRequest, RetrieveResponse, StatusResponse } from "./types.ts";

const RETRIEVE_PATH = "/rag/retrieve";

/** The client of a Ragstone server, for one API key. */
export class Ragstone {
  /** Puts, lists and deletes what can be retrieved. Needs a key with the scope `ingest` or `manage`. */
  readonly sources: Sources;
  readonly #transport: Transport;

  /** @throws {RagstoneError} when the key or the URL is missing or malformed */
  constructor(options: RagstoneOptions = {}) {
    this.#transport = createTransport(settingsOf(options));
    this.sources = new Sources(this.#transport);
  }

  /** Checks that the API works, and describes the key. */
  status(options?: RequestOptions): ResponsePromise<StatusResponse> {
    return this.#transport.send({ method: "GET", path: "/status" }, readJson<StatusResponse>, options);
  }

  /** Returns the chunks that best match the question, and with `returnMode: "ai_generated_answer"` an answer. */
  retrieve(
    request: RetrieveRequest & { returnMode: "ai_generated_answer" },
    options?: RequestOptions,
  ): ResponsePromise<AnswerResponse>;
  retrieve(request: RetrieveRequest, options?: RequestOptions): ResponsePromise<RetrieveResponse>;
  retrieve(request: RetrieveRequest, options?: RequestOptions): ResponsePromise<RetrieveResponse> {
    const call = { method: "POST", path: RETRIEVE_PATH, json: request } as const;
    return this.#transport.send(call, readJson<RetrieveResponse>, options);
  }

  /**
   * Streams a retrieval: the results first, then the answer as it is written. Leaving the loop stops the server's work.
   * `timeoutMs` limits the time to the first part and the silence between parts.
   * @throws {RagstoneError} even after parts were received; a stream that began is never retried
   */
  async *stream(request: RetrieveRequest, options: RequestOptions = {}): AsyncGenerator<StreamPart, void, undefined> {
    const json = { returnMode: "ai_generated_answer", ...request };
    const headers = { Accept: "text/event-stream" };
    const call = { method: "POST", path: RETRIEVE_PATH, json, headers } as const;
    const response = await this.#transport.send(call, (each) => each, options);
    yield* readParts(response, options.timeoutMs ?? this.#transport.timeoutMs);
  }
}
