import { RagstoneError, TimeoutError } from "./errors.ts";
import { fileCall, type PutFile } from "./file-call.ts";
import type { ResponsePromise } from "./response-promise.ts";
import type * as types from "./source-types.ts";
import { type Call, type RequestOptions, readJson, type Transport, wait } from "./transport.ts";

/** Options of a change. */
export interface ChangeOptions extends RequestOptions {
  /** Change the source only if this is its newest version; else `PreconditionFailedError`. */
  ifMatch?: string | undefined;
}

export interface PutOptions extends ChangeOptions {
  /**
   * A new question that another source already has becomes a phrasing of that source, and its answer replaces the old
   * one. That source keeps its labels. Both are kept if more audiences would see the answer, if you send another path or
   * category, or if that source would have more than 50 other phrasings.
   */
  merge?: boolean | undefined;
}

export interface VerifyOptions extends ChangeOptions {
  /** The last day, in UTC, such as `2027-06-30`; without it, the verification has no end. */
  until?: string | undefined;
}

export interface BatchOptions extends RequestOptions {
  /** Allow existing sources to become visible to more audiences. */
  widen?: boolean | undefined;
  /** As for a single source. */
  merge?: boolean | undefined;
}

export interface GetOptions extends RequestOptions {
  /**
   * Respond when the source is no longer processing, after at most this many seconds, up to 30. The request then has at
   * least 10 seconds more, unless `timeoutMs` says otherwise.
   */
  waitSeconds?: number | undefined;
}

/** A large file on a slow connection takes longer than other requests. */
const FILE_TIMEOUT_MS = 10 * 60_000;
const READY_TIMEOUT_MS = 10 * 60_000;
const WAIT_SECONDS = 30;
/** How long a request may take beyond the wait. */
const TIME_BEYOND_WAIT_MS = 10_000;
/** What the last poll may take after the end, so that a server that responds can still say the status. */
const LAST_POLL_MS = 2_000;
const MIN_POLL_MS = 500;

/** The sources of the company that the key may see. */
export class Sources {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Adds a document as text, or a question with its answer, or replaces the one with the same `sourceId`. */
  put(source: types.PutSource, options: PutOptions = {}): ResponsePromise<types.AcceptedSource> {
    const query = { merge: options.merge };
    return this.#json({ method: "PUT", path: "/sources", query, json: source, headers: ifMatchOf(options) }, options);
  }

  /** Adds or replaces a file. */
  putFile(given: PutFile, options: ChangeOptions = {}): ResponsePromise<types.AcceptedSource> {
    const call = fileCall(given, { headers: ifMatchOf(options) });
    return this.#json(call, this.#forFile(options));
  }

  /**
   * Adds or replaces the questions of a CSV or Excel file, one source per row. Valid rows are accepted even when others
   * are not.
   */
  putQuestions(given: PutFile, options: BatchOptions = {}): ResponsePromise<types.QuestionsOutcome> {
    const query = { as: "questions", widen: options.widen, merge: options.merge };
    const call = fileCall(given, { query });
    return this.#json(call, this.#forFile(options));
  }

  /**
   * Adds or replaces up to 200 sources. Valid ones are accepted even when others are not; if none is valid:
   * `ValidationError`.
   */
  batch(sources: types.PutSource[], options: BatchOptions = {}): ResponsePromise<types.BatchOutcome> {
    const query = { widen: options.widen, merge: options.merge };
    return this.#json({ method: "POST", path: "/sources/batch", query, json: { sources } }, options);
  }

  /**
   * Says which sources have to be sent and, with the scope `manage`, which ones the server has that you do not.
   */
  diff(request: types.DiffRequest, options?: RequestOptions): ResponsePromise<types.DiffResponse> {
    return this.#json({ method: "POST", path: "/sources/diff", json: request }, options);
  }

  /** All sources that match, newest change last, page after page. */
  async *list(query: types.ListQuery = {}, options?: RequestOptions): AsyncGenerator<types.Source, void, undefined> {
    let cursor = query.cursor;
    do {
      const call = { method: "GET", path: "/sources", query: { ...query, cursor } } as const;
      const page = await this.#json<types.SourcePage>(call, options);
      yield* page.sources;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** One source with its versions. */
  get(id: string, options: GetOptions = {}): ResponsePromise<types.SourceDetails> {
    return this.#waiting({ method: "GET", path: pathOf(id) }, options);
  }

  /** The states of up to 200 sources. `waitSeconds` waits until none of them is processing. */
  statuses(ids: string[], options: GetOptions = {}): ResponsePromise<types.StatusesResponse> {
    return this.#waiting({ method: "POST", path: "/sources/status", json: { ids } }, options);
  }

  /** The text that retrieval serves, as Markdown. */
  text(id: string, options?: RequestOptions): ResponsePromise<string> {
    const call = { method: "GET", path: `${pathOf(id)}/text`, headers: { Accept: "text/markdown" } } as const;
    return this.#transport.send(call, (response) => response.text(), options);
  }

  /** The original file. A source that is a text, or whose file is missing, has none: `NotFoundError`. */
  original(id: string, options: RequestOptions = {}): ResponsePromise<Blob> {
    const call = { method: "GET", path: `${pathOf(id)}/original`, headers: { Accept: "*/*" } } as const;
    return this.#transport.send(call, (response) => response.blob(), this.#forFile(options));
  }

  /** Changes the given labels. */
  update(id: string, labels: types.SourceLabels, options: ChangeOptions = {}): ResponsePromise<types.AcceptedSource> {
    return this.#json({ method: "PATCH", path: pathOf(id), json: labels, headers: ifMatchOf(options) }, options);
  }

  /** Verifies the answer of a question, so that questions that ask the same get it word for word. */
  verify(id: string, options: VerifyOptions = {}): ResponsePromise<types.SourceVerification> {
    const json = { until: options.until };
    const call = { method: "PUT", path: `${pathOf(id)}/verification`, json, headers: ifMatchOf(options) } as const;
    return this.#json(call, options);
  }

  withdrawVerification(id: string, options?: RequestOptions): ResponsePromise<types.SourceVerification> {
    return this.#json({ method: "DELETE", path: `${pathOf(id)}/verification` }, options);
  }

  /** Reads and splits a source again, for example after a failure. */
  reindex(id: string, options?: RequestOptions): ResponsePromise<types.AcceptedSource> {
    return this.#json({ method: "POST", path: `${pathOf(id)}/reindex`, isRepeatable: false }, options);
  }

  /** Deletes a source. It can be restored for 24 hours. */
  delete(id: string, options?: RequestOptions): ResponsePromise<types.SourceRef> {
    return this.#json({ method: "DELETE", path: pathOf(id), isRepeatable: false }, options);
  }

  restore(id: string, options?: RequestOptions): ResponsePromise<types.SourceRef> {
    return this.#json({ method: "POST", path: `${pathOf(id)}/restore`, isRepeatable: false }, options);
  }

  /** Deletes the named sources, or all below a prefix, if `confirm` is their number; else `ValidationError`. */
  deleteMany(request: types.DeleteRequest, options?: RequestOptions): ResponsePromise<types.DeleteResponse> {
    return this.#json({ method: "POST", path: "/sources/delete", json: request, isRepeatable: false }, options);
  }

  /**
   * Waits until retrieval can return the newest version of a source, for 10 minutes unless `timeoutMs` says otherwise.
   * @throws {RagstoneError} with the reason when the source failed; {TimeoutError}
   */
  async waitUntilReady(
    id: string,
    { signal, timeoutMs = READY_TIMEOUT_MS }: RequestOptions = {},
  ): Promise<types.SourceDetails> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      const started = performance.now();
      const leftMs = Math.max(0, until - started);
      const waitSeconds = Math.max(1, Math.min(WAIT_SECONDS, Math.floor(leftMs / 1_000)));
      const pollMs = Math.min(leftMs + LAST_POLL_MS, this.#waitingMs(waitSeconds));
      const source = await this.get(id, { signal, waitSeconds, timeoutMs: pollMs });
      if (source.status === "ready") return source;
      if (source.status !== "processing") {
        throw new RagstoneError(`${source.sourceId} is ${source.status}${source.error ? `: ${source.error}` : ""}`);
      }
      if (performance.now() >= until) throw new TimeoutError(`${source.sourceId} is still processing.`);
      // a proxy may have dropped the header that makes the server wait
      await wait(Math.max(0, MIN_POLL_MS - (performance.now() - started)), signal);
    }
  }

  /** Lets the server wait, and waits longer than the server, whatever the timeout of other requests is. */
  #waiting<Data>(call: Call, { waitSeconds, ...options }: GetOptions): ResponsePromise<Data> {
    if (!waitSeconds) return this.#json(call, options);
    const headers = { Prefer: `wait=${waitSeconds}` };
    const timeoutMs = options.timeoutMs ?? this.#waitingMs(waitSeconds);
    return this.#json({ ...call, headers }, { ...options, timeoutMs });
  }

  #waitingMs(waitSeconds: number): number {
    return Math.max(this.#transport.timeoutMs, waitSeconds * 1_000 + TIME_BEYOND_WAIT_MS);
  }

  #forFile({ signal, timeoutMs }: RequestOptions): RequestOptions {
    return { signal, timeoutMs: timeoutMs ?? Math.max(this.#transport.timeoutMs, FILE_TIMEOUT_MS) };
  }

  #json<Data>(call: Call, options?: RequestOptions): ResponsePromise<Data> {
    return this.#transport.send(call, readJson<Data>, options);
  }
}

function pathOf(id: string): string {
  return `/sources/${encodeURIComponent(id)}`;
}

function ifMatchOf({ ifMatch }: ChangeOptions): Record<string, string> {
  return ifMatch === undefined ? {} : { "If-Match": `"${ifMatch}"` };
}
