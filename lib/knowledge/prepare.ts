import { detectLanguage, type Language } from "../ai/language.ts";
import type { Tokenizer } from "../ai/local/tokenizer.ts";
import type { sourceVersions } from "../db/schema/index.ts";
import { type AnalyzedChunk, analyzeChunk } from "../retrieval/analyze.ts";
import { type Chunk, chunkDocument, chunkQuestion } from "./chunk.ts";
import { chunkId } from "./content-hash.ts";
import { documentTitle } from "./parse/document.ts";
import { parseFile, parseText } from "./parse/index.ts";
import type { ObjectStore } from "./storage/index.ts";

/** Enough of a document to tell its language by. */
const LANGUAGE_SAMPLE_CHARS = 4_000;
/** Fertility is a mean over the beginnings of chunks. */
const FERTILITY_SAMPLE_CHARS = 600;

/** A chunk as it will be stored, its place in the version with it. */
export interface PreparedChunk extends Chunk {
  id: string;
  sourceId: string;
  position: number;
  language: Language | null;
  analyzed: AnalyzedChunk;
  pieceCount: number;
  rawWordCount: number;
}

export interface PreparedVersion {
  title: string;
  chunks: PreparedChunk[];
}

export interface PrepareTools {
  store: ObjectStore;
  tokenizer: Tokenizer;
  /** The embedding model's window, in tokens of the tokenizer. */
  maxTokens: number;
}

/**
 * Reads what a version was made from, cuts it into chunks and analyses them.
 * @throws {UnreadableFile} with a reason for a person
 */
export async function prepareVersion(
  version: typeof sourceVersions.$inferSelect,
  tools: PrepareTools,
  signal?: AbortSignal,
): Promise<PreparedVersion> {
  const { title, chunks } = await cut(version, tools, signal);
  const language = detectLanguage(
    chunks
      .map(({ content }) => content)
      .join("\n")
      .slice(0, LANGUAGE_SAMPLE_CHARS),
  );
  const seen = new Map<string, number>();
  return {
    title,
    chunks: chunks.map((chunk, position) => {
      const occurrence = seen.get(chunk.embeddingText) ?? 0;
      seen.set(chunk.embeddingText, occurrence + 1);
      const { pieces, words } = tools.tokenizer.fertility(chunk.content.slice(0, FERTILITY_SAMPLE_CHARS));
      return {
        ...chunk,
        id: chunkId(version.sourceId, chunk, occurrence),
        sourceId: version.sourceId,
        position,
        language,
        analyzed: analyze(version.sourceType, title, chunk, language),
        pieceCount: pieces,
        rawWordCount: words,
      };
    }),
  };
}

/** The analysed form of a stored chunk's text; a question's own words count as its title. */
export function analyze(sourceType: string, title: string, chunk: Chunk, language: Language | null): AnalyzedChunk {
  if (sourceType === "document") return analyzeChunk([...chunk.headings, chunk.content].join("\n"), title, language);
  const [question = "", ...answer] = chunk.embeddingText.split("\n");
  return analyzeChunk(answer.join("\n"), question, language);
}

async function cut(version: typeof sourceVersions.$inferSelect, tools: PrepareTools, signal?: AbortSignal) {
  const { body } = version;
  const limits = { maxTokens: tools.maxTokens, countTokens: tools.tokenizer.count };
  if (body.kind === "qa") return { title: body.question, chunks: chunkQuestion({ ...body, ...limits }) };
  if (body.kind === "text") {
    return {
      title: version.title,
      chunks: chunkDocument(await parseText(body.content, signal), { title: version.title, ...limits }),
    };
  }
  const bytes = await tools.store.get(body.storageKey);
  const document = await parseFile({ bytes, fileName: body.fileName, signal });
  const title = documentTitle(document, body.fileName);
  return { title, chunks: chunkDocument(document, { title, ...limits }) };
}
