import { type DestinationStream, pino } from "pino";
import { describeError } from "./describe-error.ts";
import { env } from "./env.ts";

const holder: { logger?: pino.Logger } = {};

/** One JSON line an event. Never query text, content, or credentials: callers pass ids, counts and times. */
export function log(): pino.Logger {
  holder.logger ??= createLogger();
  return holder.logger;
}

/** For a process whose standard output is its result. */
export function logToStandardError(): void {
  holder.logger = createLogger(pino.destination(2));
}

export function createLogger(destination?: DestinationStream): pino.Logger {
  const options = {
    level: env().logLevel,
    serializers: { err: (error: unknown) => describeError(error) },
    redact: { paths: ["authorization", "*.authorization", "headers.authorization", "token"], censor: "[redacted]" },
  };
  return destination ? pino(options, destination) : pino(options);
}
