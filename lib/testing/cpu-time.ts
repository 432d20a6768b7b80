/** CPU milliseconds. Less proves nothing. */
const FLOOR = 40;
const TRIES = 4;

/** CPU milliseconds of this thread, which other load on the machine does not increase. */
export async function cpuOf(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * How many times more CPU time four times the length takes: about 4 when the time is linear, 16 when it is quadratic, and
 * 0 when it is too short to tell. The least of several tries, because a busy machine only adds time.
 */
export async function growthOf(run: (length: number) => unknown, length: number): Promise<number> {
  let [whole, quarter] = [Infinity, Infinity];
  for (let tries = 0; tries < TRIES && whole > FLOOR; tries++) {
    quarter = Math.min(quarter, await cpuOf(() => run(length / 4)));
    whole = Math.min(whole, await cpuOf(() => run(length)));
  }
  return whole <= FLOOR ? 0 : whole / quarter;
}
