/** Started by `rate-limit.test.ts`: several processes count requests of one key. Prints how many of all were allowed. */
import cluster from "node:cluster";
import { RateLimiterClusterMaster } from "rate-limiter-flexible";
import { consumeRateLimit } from "../rate-limit.ts";

const PROCESSES = 4;
const REQUESTS_EACH = 40;
const PER_MINUTE = 100;

async function count(): Promise<void> {
  const outcomes = await Promise.allSettled(
    Array.from({ length: REQUESTS_EACH }, () => consumeRateLimit({ id: "key", perMinute: PER_MINUTE })),
  );
  process.send?.(outcomes.filter(({ status }) => status === "fulfilled").length);
  process.disconnect();
}

async function sum(): Promise<void> {
  new RateLimiterClusterMaster();
  let allowed = 0;
  const ends = Array.from({ length: PROCESSES }, () => {
    const worker = cluster.fork();
    worker.on("message", (message) => {
      if (typeof message === "number") allowed += message;
    });
    return new Promise((resolve) => worker.once("exit", resolve));
  });
  await Promise.all(ends);
  console.log(allowed);
}

await (cluster.isPrimary ? sum() : count());
