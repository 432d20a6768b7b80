import { type PieceRequest, preparePieces } from "../../lib/knowledge/ingest/pieces.ts";

/** Paragraphs in several languages. The first paragraph of a source decides its language. */
const TOPICS: [heading: string, sentence: string][] = [
  ["Refunds", "Refunds are paid within fourteen days to the card that was used for the purchase."],
  ["Rimborsi", "I rimborsi sono pagati entro quattordici giorni sulla carta usata per gli acquisti."],
  ["Routers", "The router blinks red while it starts, and the customers should wait for three minutes."],
  ["Verträge", "Die Verträge enden nach vierundzwanzig Monaten, wenn sie vorher gekündigt werden."],
  ["Invoices", "Invoices are sent by post on the first of the month to the address of the company."],
  ["Fatture", "Le fatture sono spedite per posta il primo giorno del mese all'indirizzo della società."],
];
const REPEATS = 4;

export const TOPIC_COUNT = TOPICS.length;
export const KINDS = ["text", "file", "qa"] as const;

/** The content of a source: paragraphs in order. A file without paragraphs cannot be read. */
export interface Body {
  kind: (typeof KINDS)[number];
  topics: number[];
}

/** The result of reading a body. */
export interface Reading {
  title: string;
  /** Contents of the chunks, in order. */
  contents: string[];
  /** The language name in the keyword index. */
  language: string;
}

export function textOf({ topics }: Body): string {
  const parts = topics.map((topic) => {
    const [heading, sentence] = TOPICS[topic] ?? ["", ""];
    return `# ${heading}\n\n${Array.from({ length: REPEATS }, (_, i) => `${sentence} (${heading} ${i + 1})`).join(" ")}`;
  });
  return parts.join("\n\n");
}

export const titleOf = (name: string) => `Paper ${name}`;
export const questionOf = (name: string) => `What does ${name} say?`;

const known = new Map<string, Reading>();
/** Window of the embedding models. */
export const WINDOW_TOKENS = 512;

/** Splits a body with the product's reader, to compare with the store. @returns null when the body cannot be read */
export async function readingOf(name: string, body: Body): Promise<Reading | null> {
  if (body.topics.length === 0) return null;
  const key = JSON.stringify([name, body]);
  const reading = known.get(key) ?? (await read(name, body));
  known.set(key, reading);
  return reading;
}

async function read(name: string, body: Body): Promise<Reading> {
  const reading: Reading = { title: "", contents: [], language: "" };
  const request = { kind: "pieces", body: given(name, body), sourceId: name, maxTokens: WINDOW_TOKENS } as const;
  for await (const piece of preparePieces({ ...request, ocrLanguages: [], recognised: [] })) {
    if (!("last" in piece)) continue;
    const { title, chunks } = piece;
    reading.title = title;
    reading.contents.push(...chunks.map(({ content }) => content));
    reading.language = chunks[0]?.language ?? "und";
  }
  return reading;
}

function given(name: string, body: Body): PieceRequest["body"] {
  const content = textOf(body);
  if (body.kind === "qa") {
    return { kind: "qa", question: questionOf(name), answer: content, alternatives: [] };
  }
  if (body.kind === "text") return { kind: "text", title: titleOf(name), content };
  return { kind: "file", fileName: name, bytes: Buffer.from(content) };
}
