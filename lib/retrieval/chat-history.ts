import { z } from "zod";

/** One message of a chat. */
export interface ChatMessage {
  /** Null when the history does not say who wrote it. */
  from: "client" | "company" | null;
  text: string;
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

  const messages: ChatMessage[] = [];
  for (const line of history.slice(-READ_MAX).split(/\r?\n/)) {
    const [, label, text] = LABELLED.exec(line) ?? [];
    const open = messages.at(-1);
    if (label !== undefined && text !== undefined) messages.push({ from: speakerOf(label), text: text.trim() });
    else if (line.trim() === "") continue;
    else if (open?.from) open.text += ` ${line.trim()}`;
    else messages.push({ from: null, text: line.trim() });
  }
  return messages;
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
