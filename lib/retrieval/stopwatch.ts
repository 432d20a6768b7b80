/** Milliseconds by stage. The times of a stage that runs twice add up. */
export interface Stopwatch {
  readonly stages: Record<string, number>;
  /** First start of each stage, in milliseconds since the stopwatch was created. Stages may run in parallel. */
  readonly starts: Record<string, number>;
  /** @throws the reason of the stopwatch's signal when it is aborted before the stage */
  time<T>(stage: string, work: () => T): T;
}

/** @param signal of the caller: after a disconnection, no further stage starts */
export function stopwatch(signal?: AbortSignal): Stopwatch {
  const made = performance.now();
  const stages: Record<string, number> = {};
  const starts: Record<string, number> = {};
  function add(stage: string, since: number) {
    stages[stage] = (stages[stage] ?? 0) + performance.now() - since;
  }
  return {
    stages,
    starts,
    time(stage, work) {
      signal?.throwIfAborted();
      const since = performance.now();
      starts[stage] ??= since - made;
      const result = work();
      if (!(result instanceof Promise)) {
        add(stage, since);
        return result;
      }
      result.then(
        () => add(stage, since),
        () => add(stage, since),
      );
      return result;
    },
  };
}
