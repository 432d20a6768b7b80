import { z } from "zod";

const MAX_CAUSES = 4;
const MAX_MESSAGE = 200;

interface ErrorDescription {
  name: string;
  code?: string;
  message: string;
  /** Only the frames: the first line of a stack is the message. */
  stack: string[];
  cause?: ErrorDescription;
}

/** Describes an error for the log, without content: no statements, no parameters, no quoted text. */
export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error, message: "", stack: [] };
  return {
    name: error.name,
    ...("code" in error && typeof error.code === "string" && { code: error.code }),
    message: withoutContent(error),
    stack: (error.stack ?? "").split("\n").filter((line) => line.startsWith("    at ")),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: describeError(error.cause, depth + 1) }),
  };
}

function withoutContent(error: Error): string {
  // a schema's issues do not contain the invalid values
  if (error instanceof z.ZodError) return z.prettifyError(error).slice(0, MAX_MESSAGE);
  // a failed query's message is the statement with its parameters
  if ("query" in error && "params" in error) return "Failed query";
  return (error.message.split("\n")[0] ?? "").replaceAll(/"[^"]*"|`[^`]*`/g, '"…"').slice(0, MAX_MESSAGE);
}
