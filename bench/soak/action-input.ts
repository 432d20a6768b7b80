import { z } from "zod";

export type Json = { [name: string]: unknown };

const issueList = z.array(z.object({ path: z.string(), message: z.string() }));

/** The issues that an action reports about its input; empty when it accepted the input. Pure. */
export function issuesOf(answer: string): z.output<typeof issueList> {
  const listed = /"ok":false,.*?"issues":(\[.*?\])\}/s.exec(answer)?.[1];
  if (!listed) return [];
  try {
    return issueList.parse(JSON.parse(listed));
  } catch {
    return [];
  }
}

/** Fills the input as its issues require, with the text for its field wherever a text is allowed. Pure. */
export function fill(
  input: Json,
  issues: { path: string; message: string }[],
  textOf: (field: string) => string,
): Json {
  const filled: Json = structuredClone(input);
  for (const { path, message } of issues) {
    const names = path.split(".").filter(Boolean);
    if (names.length > 0) set(filled, names, valueFor(names.at(-1) ?? "", message, textOf));
  }
  return filled;
}

function valueFor(name: string, message: string, textOf: (field: string) => string): unknown {
  const choice = /one of "?([^",]+)"?|expected one of "([^"]+)"/.exec(message);
  if (choice) return choice[1] ?? choice[2];
  if (/expected string/.test(message)) return textOf(name);
  if (/array/i.test(message) || /s$/.test(name)) return [textOf(name)];
  if (/true or false|boolean/i.test(message)) return true;
  if (/number/i.test(message)) return 1;
  if (/object/i.test(message)) return {};
  if (/e-?mail/i.test(message) || name === "email") return "guest@probe.example";
  return textOf(name);
}

function set(target: Json, [name = "", ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = target[name];
  const next: Json = typeof inner === "object" && inner !== null ? { ...inner } : {};
  target[name] = next;
  set(next, rest, value);
}
