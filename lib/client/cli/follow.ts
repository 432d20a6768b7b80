import type { Ragstone } from "../client.ts";
import type { AcceptedSource, SourceState } from "../source-types.ts";
import { type RequestOptions, wait } from "../transport.ts";

const SOURCES_PER_REQUEST = 200;
/** Short, so that the progress bar moves. */
const WAIT_SECONDS = 3;
const MIN_POLL_MS = 500;

/**
 * Follows sources until each one is ready or failed, or waits for something that is unavailable.
 * @param onEnd called once for each source; without a state if it was deleted in the meantime
 */
export async function followAll(
  client: Ragstone,
  accepted: AcceptedSource[],
  options: RequestOptions,
  onEnd: (source: AcceptedSource, state: SourceState | undefined) => void,
): Promise<void> {
  for (let start = 0; start < accepted.length; start += SOURCES_PER_REQUEST) {
    let open = accepted.slice(start, start + SOURCES_PER_REQUEST);
    while (open.length > 0) {
      const started = performance.now();
      const ids = open.map(({ id }) => id);
      const { sources } = await client.sources.statuses(ids, { ...options, waitSeconds: WAIT_SECONDS });
      const states = new Map(sources.map((state) => [state.id, state]));
      open = open.filter((source) => {
        const state = states.get(source.id);
        if (state?.status === "processing" && !state.progress?.waitsFor) return true;
        onEnd(source, state);
        return false;
      });
      // a proxy may have dropped the header that makes the server wait
      if (open.length > 0) await wait(Math.max(0, MIN_POLL_MS - (performance.now() - started)), options.signal);
    }
  }
}
