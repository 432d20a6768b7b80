import { pino } from "pino";
import { env } from "./env.ts";

const holder: { logger?: pino.Logger } = {};

/** One JSON line an event. Never query text, content, or credentials: callers pass ids, counts and times. */
export function log(): pino.Logger {
  holder.logger ??= pino({
    level: env().logLevel,
    redact: { paths: ["authorization", "*.authorization", "headers.authorization", "token"], censor: "[redacted]" },
  });
  return holder.logger;
}
