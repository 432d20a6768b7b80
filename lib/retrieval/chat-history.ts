import { COURTESY } from "./follow-up-words.ts";

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

/** A question that the company asks a client, which says nothing of what the chat is about. */
const OFFERS_HELP = new RegExp(
  `(?<!\\p{L})(?:${[
    "(?:can|may) (?:i|we) (?:help|assist|be of)|help you|for you|how are you(?: doing| today)?(?! \\p{L})|anything else",
    "aiutar(?:la|ti|vi)|(?:posso|possiamo) aiutare|essere (?:utile|d['’]aiuto)|come sta(?! \\p{L})|qualcos['’]altro|(?:serve|desidera|bisogno di) altro",
    "ayudar(?:le|te|lo|la)s?|(?:puedo|podemos) ayudar|cómo está(?: usted)?(?! \\p{L})|algo más",
    "(?:ihnen|dir|euch) helfen|für (?:sie|dich|euch) tun|weiterhelfen|wie geht(?: e|['’])s (?:ihnen|dir|euch)|(?:sonst )?noch etwas",
    "vous aider|pour vous|vous être utile|comment allez-vous|autre chose|ajudar|mais alguma coisa",
    "(?:u|je) helpen|voor (?:u|je) doen|van dienst zijn|hoe gaat het(?: met (?:u|je))?(?! \\p{L})|nog iets",
  ].join("|")})(?!\\p{L})`,
  "iu",
);
const SENTENCE_END = /(?<=[.!?])\s+/u;
/** Roles whose messages neither the client nor the company wrote. */
const INSTRUCTIONS_OR_DATA = /^(?:system|developer|tool|function)$/iu;

const TEXT_PARTS: ReadonlySet<unknown> = new Set(["text", "input_text", "output_text"]);

/**
 * The messages of a chat history, oldest first: labelled lines, plain lines, or JSON messages with `role` and
 * `content`, which is a text or a list of parts. Messages without text are left out, such as those that only call a tool.
 */
export function readMessages(history: string): ChatMessage[] {
  const given = history.trimStart().startsWith("[") ? jsonMessages(history) : null;
  if (given !== null) return lastMessages(given);

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

/** The name of the only one who asks for something, in a chat of two people whose labels are names; else null. */
function askerOf(lines: readonly Line[]): string | null {
  const labels = new Set(lines.map(({ label }) => label));
  labels.delete(null);
  if (labels.size !== 2 || lines.some(({ from }) => from !== null)) return null;
  const askers = new Set(lines.filter(({ text }) => asks(text)).map(({ label }) => label));
  // an agent may be the only one who asks, about what the client has said
  const begins = lines.find(({ text }) => !COURTESY.test(text) && !OFFERS_HELP.test(text))?.label;
  return askers.size === 1 && begins && askers.has(begins) ? begins : null;
}

function asks(text: string): boolean {
  return text.split(SENTENCE_END).some((sentence) => sentence.includes("?") && !OFFERS_HELP.test(sentence));
}

function roleOf(label: string | null, client: string): ChatMessage["from"] {
  if (label === null) return null;
  return label === client ? "client" : "company";
}

/** The values of a JSON array of objects; null for other texts. */
function jsonMessages(history: string): (object | null)[] | null {
  try {
    const values: unknown = JSON.parse(history);
    return Array.isArray(values) && values.every((value) => typeof value === "object") ? values : null;
  } catch {
    return null;
  }
}

/** Reads backwards with plain checks, because a history can have hundreds of thousands of values. */
function lastMessages(values: readonly (object | null)[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (let index = values.length - 1; index >= 0 && messages.length < MESSAGES_MAX; index--) {
    const message = chatMessageOf(values[index] ?? {});
    if (message) messages.push(message);
  }
  return messages.reverse();
}

function chatMessageOf(value: object): ChatMessage | null {
  if (!("role" in value && "content" in value) || typeof value.role !== "string") return null;
  const text = textOf(value.content).slice(-READ_MAX).trim();
  if (text === "" || INSTRUCTIONS_OR_DATA.test(value.role)) return null;
  return { from: speakerOf(value.role), text };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.flatMap(textOfPart).join("\n") : "";
}

function textOfPart(part: unknown): string[] {
  if (typeof part !== "object" || part === null || !("type" in part && "text" in part)) return [];
  return TEXT_PARTS.has(part.type) && typeof part.text === "string" ? [part.text] : [];
}

function speakerOf(label: string): ChatMessage["from"] {
  const name = label.trim();
  if (CLIENT.test(name)) return "client";
  return COMPANY.test(name) ? "company" : null;
}
