/** After this time, a call that does not return no longer delays the next one. */
const WAIT_MAX_MS = 100;

interface Waiting<Key, Value> {
  key: Key;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/**
 * Combines look-ups: those that come while a call runs wait for the next call and share it. Every look-up is answered
 * by a call that began after it.
 * @param lookUp gives one value for each key, in the same order
 */
export function batchLookups<Key, Value>(lookUp: (keys: Key[]) => Promise<Value[]>): (key: Key) => Promise<Value> {
  let waiting: Waiting<Key, Value>[] = [];
  let running: symbol | null = null;

  function start(): void {
    if (running || waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    const call = Symbol();
    running = call;
    const proceed = () => {
      if (running !== call) return;
      running = null;
      start();
    };
    const timer = setTimeout(proceed, WAIT_MAX_MS);
    lookUp(batch.map(({ key }) => key))
      .then(
        (values) => settle(batch, values),
        (error) => batch.forEach(({ reject }) => void reject(error)),
      )
      .finally(() => {
        clearTimeout(timer);
        proceed();
      });
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      start();
    });
}

function settle<Key, Value>(batch: Waiting<Key, Value>[], values: Value[]): void {
  const results = values.values();
  for (const { resolve, reject } of batch) {
    const { value, done } = results.next();
    if (done) reject(new Error("the look-up gave too few values"));
    else resolve(value);
  }
}
