import { z } from "zod";

/** One message of a chat. */
export interface ChatMessage {
  /** Null when the history does not say who wrote it. */
  from: "client" | "company" | null;
  text: string;
}

/** A line, with the label before it or before the line that it continues. */
interface Line extends ChatMessage {
  label: string | null;
}

/** In characters: the end of the history, which contains the previous question. */
const READ_MAX = 6_000;
const MESSAGES_MAX = 20;
const CLIENT =
  /^(?:user|client|customer|human|caller|visitor|guest|question|q|utente|cliente|domanda|usuario|pregunta|kund(?:e|in)|nutzer|frage|utilisateur|klant|gebruiker|usuário|pergunta)$/iu;
const COMPANY =
  /^(?:assistant|agent|bot|chatbot|ai|support|operator|company|answer|a|assistente|operatore|agente|azienda|risposta|asistente|operador|empresa|respuesta|mitarbeiter(?:in)?|antwort|réponse|antwoord|resposta)$/iu;
/** "Customer: …", "[10:32] Anna: …" */
const LABELLED =
  /^\s*(?:\[[^\]\n]{1,30}\]\s{0,3})?(?:\*\*)?(\p{L}[\p{L} .'-]{0,30}?)(?:\*\*)?\s{0,2}:(?:\*\*)?\s+(\S.*)$/u;

/** A question of the company to a client. */
const OFFERS_HELP =
  /(?<!\p{L})(?:(?:can|may) (?:i|we) (?:help|assist)|help you|for you|aiutar(?:la|ti|vi)|ayudar(?:le|te|lo|la)s?|(?:ihnen|dir) helfen|vous aider|ajudar|(?:u|je) helpen)(?!\p{L})/iu;
/** Roles whose messages neither the client nor the company wrote. */
const INSTRUCTIONS_OR_DATA = /^(?:system|developer|tool|function)$/iu;

const textPart = z.object({ type: z.enum(["text", "input_text", "output_text"]), text: z.string() });
const jsonMessage = z.object({ role: z.string(), content: z.union([z.string(), z.array(z.unknown())]) });

/**
 * The messages of a chat history, oldest first: labelled lines, plain lines, or JSON messages with `role` and
 * `content`, which is a text or a list of parts. Messages without text are left out, such as those that only call a tool.
 */
export function readMessages(history: string): ChatMessage[] {
  const given = history.trimStart().startsWith("[") ? jsonMessages(history) : null;
  if (given !== null) return given.flatMap((value) => chatMessageOf(value) ?? []).slice(-MESSAGES_MAX);

  const lines: Line[] = [];
  for (const line of history.slice(-READ_MAX).split(/\r?\n/)) {
    const [, label, text] = LABELLED.exec(line) ?? [];
    const open = lines.at(-1);
    if (label !== undefined && text !== undefined) lines.push({ from: speakerOf(label), label, text: text.trim() });
    else if (line.trim() === "") continue;
    else if (open?.from) open.text += ` ${line.trim()}`;
    else lines.push({ from: null, label: open?.label ?? null, text: line.trim() });
  }
  const client = askerOf(lines);
  return lines.map(({ from, label, text }) => ({ from: client === null ? from : roleOf(label, client), text }));
}

/** The name of who asks first, in a chat of two people whose labels are names; else null. */
function askerOf(lines: readonly Line[]): string | null {
  const labels = new Set(lines.map(({ label }) => label));
  labels.delete(null);
  if (labels.size !== 2 || lines.some(({ from }) => from !== null)) return null;
  return lines.find(({ text }) => text.includes("?") && !OFFERS_HELP.test(text))?.label ?? null;
}

function roleOf(label: string | null, client: string): ChatMessage["from"] {
  if (label === null) return null;
  return label === client ? "client" : "company";
}

/** The messages of a JSON array; null for other texts. */
function jsonMessages(history: string): unknown[] | null {
  try {
    const values: unknown = JSON.parse(history);
    return Array.isArray(values) && values.every((value) => typeof value === "object") ? values : null;
  } catch {
    return null;
  }
}

function chatMessageOf(value: unknown): ChatMessage | null {
  const { data } = jsonMessage.safeParse(value);
  if (!data || INSTRUCTIONS_OR_DATA.test(data.role)) return null;
  const text = textOf(data.content).slice(-READ_MAX).trim();
  return text === "" ? null : { from: speakerOf(data.role), text };
}

function textOf(content: string | unknown[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => textPart.safeParse(part).data?.text ?? []).join("\n");
}

function speakerOf(label: string): ChatMessage["from"] {
  const name = label.trim();
  if (CLIENT.test(name)) return "client";
  return COMPANY.test(name) ? "company" : null;
}
