import { type DestinationStream, pino } from "pino";
import { describeError } from "./describe-error.ts";
import { env } from "./env.ts";

const holder: { logger?: pino.Logger } = {};

/** Writes one JSON line per event. Never pass query text, content or credentials: only ids, counts and times. */
export function log(): pino.Logger {
  holder.logger ??= createLogger();
  return holder.logger;
}

/** Logs to standard error, for a process whose standard output is its result. */
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
