import { z } from "zod";

/** One message of a chat. */
export interface ChatTurn {
  /** Null when the history does not say who wrote it. */
  from: "client" | "company" | null;
  text: string;
}

/** In characters: the end of the history, which contains the previous question. */
const READ_MAX = 6_000;
const TURNS_MAX = 20;
const CLIENT =
  /^(?:user|client|customer|human|caller|visitor|guest|question|q|utente|cliente|domanda|usuario|pregunta|kund(?:e|in)|nutzer|frage|utilisateur|klant|gebruiker|usuário|pergunta)$/iu;
const COMPANY =
  /^(?:assistant|agent|bot|chatbot|ai|support|operator|company|answer|a|assistente|operatore|agente|azienda|risposta|asistente|operador|empresa|respuesta|mitarbeiter(?:in)?|antwort|réponse|antwoord|resposta)$/iu;
/** "Customer: …", "[10:32] Anna: …" */
const LABELLED =
  /^\s*(?:\[[^\]\n]{1,30}\]\s{0,3})?(?:\*\*)?(\p{L}[\p{L} .'-]{0,30}?)(?:\*\*)?\s{0,2}:(?:\*\*)?\s+(\S.*)$/u;

const messages = z.array(z.object({ role: z.string(), content: z.string() }));

/**
 * The turns of a chat history, oldest first: labelled lines, plain lines, or JSON messages with `role` and `content`.
 */
export function readTurns(history: string): ChatTurn[] {
  const given = history.trimStart().startsWith("[") ? jsonMessages(history) : null;
  if (given !== null) {
    const last = given.slice(-TURNS_MAX);
    return last.map(({ role, content }) => ({ from: speakerOf(role), text: content.slice(-READ_MAX).trim() }));
  }

  const turns: ChatTurn[] = [];
  for (const line of history.slice(-READ_MAX).split(/\r?\n/)) {
    const [, label, text] = LABELLED.exec(line) ?? [];
    const open = turns.at(-1);
    if (label !== undefined && text !== undefined) turns.push({ from: speakerOf(label), text: text.trim() });
    else if (line.trim() === "") continue;
    else if (open?.from) open.text += ` ${line.trim()}`;
    else turns.push({ from: null, text: line.trim() });
  }
  return turns;
}

function jsonMessages(history: string): z.output<typeof messages> | null {
  try {
    return messages.safeParse(JSON.parse(history)).data ?? null;
  } catch {
    return null;
  }
}

function speakerOf(label: string): ChatTurn["from"] {
  const name = label.trim();
  if (CLIENT.test(name)) return "client";
  return COMPANY.test(name) ? "company" : null;
}
