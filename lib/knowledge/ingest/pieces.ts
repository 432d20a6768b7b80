import { createHash } from "node:crypto";
import { bundledModelDir } from "../../ai/local/bundled-model.ts";
import { loadTokenizer, type Tokenizer } from "../../ai/local/tokenizer.ts";
import { countText } from "../../counted.ts";
import { detectLanguage, type Language } from "../../language/language.ts";
import { analyzeChunk } from "../../search-index/analyze.ts";
import type { PreparedChunk } from "../../search-index/prepared-chunk.ts";
import { type Chunk, chunkDocument, chunkQuestion } from "../chunk/chunk.ts";
import { chunkId } from "../content-hash.ts";
import { CHUNKS_PER_SOURCE_MAX, QUESTION_BYTES_MAX } from "../limits.ts";
import {
  type Attachment,
  documentTitle,
  type ParsedDocument,
  type ReadingProgress,
  type ReadMetadata,
  type RecognisedPage,
  UnreadableFile,
} from "../parse/document.ts";
import { parseMarkdownBytes, readDocument } from "../parse/parse.ts";

const CHUNKS_PER_PIECE = 200;
/** The first part of a document, which is enough to detect its language. */
const LANGUAGE_SAMPLE_CHARS = 4_000;
/** Fertility is measured on the start of each chunk. */
const FERTILITY_SAMPLE_CHARS = 600;

/** A request to the reader's process to prepare a version. */
export interface PieceRequest {
  kind: "pieces";
  body:
    | { kind: "qa"; question: string; answer: string; alternatives: string[] }
    | { kind: "text"; title: string; content: string }
    | { kind: "file"; fileName: string; bytes: Uint8Array };
  /** The id of the source's row, from which chunk ids are derived. */
  sourceId: string;
  /** The embedding model's window, in tokens. */
  maxTokens: number;
  /** The languages to recognise text in, on pages that have none; empty for none. */
  ocrLanguages: readonly string[];
  /** Pages that an earlier attempt recognised. */
  recognised: readonly RecognisedPage[];
}

/** The next chunks of a version, in order. */
export interface Piece {
  title: string;
  /** What people should know about how well the file was read; null for nothing. */
  notice: string | null;
  metadata: ReadMetadata;
  /** The files that an email carries; only in the last piece. */
  attachments: Attachment[];
  chunks: PreparedChunk[];
  /** Whether this is the last piece of the version. */
  last: boolean;
}

/**
 * Reads the content of a version, splits it into chunks and analyses them piece by piece, so that the chunks of a long text
 * are never all in memory. Runs in the reader's process, which can be killed. Yields at least one piece, and before it
 * the progress of text recognition.
 * @throws {UnreadableFile} with a reason for the user
 */
export async function* preparePieces(request: PieceRequest): AsyncGenerator<Piece | ReadingProgress> {
  const tokenizer = await loadTools();
  const { chunks, attachments, ...facts } = yield* cut(request, tokenizer);
  const { title } = facts;
  const upcoming = chunks[Symbol.iterator]();
  const beginning = takeSample(upcoming);
  const language = detectLanguage(textOf(beginning));
  const seen = new Map<string, number>();
  const prepare = (chunk: Chunk, position: number): PreparedChunk => {
    const text = createHash("sha1").update(chunk.embeddingText).digest("base64");
    const occurrence = seen.get(text) ?? 0;
    seen.set(text, occurrence + 1);
    const { pieces, words } = tokenizer.fertility(chunk.content.slice(0, FERTILITY_SAMPLE_CHARS));
    return {
      ...chunk,
      id: chunkId(request.sourceId, chunk, occurrence),
      sourceId: request.sourceId,
      position,
      language,
      analyzed: analyze(request.body.kind, title, chunk, language),
      pieceCount: pieces,
      rawWordCount: words,
    };
  };
  let position = 0;
  let piece: PreparedChunk[] = [];
  for (const chunk of concat(beginning, upcoming)) {
    if (position === CHUNKS_PER_SOURCE_MAX) throw tooManyChunks();
    if (piece.length === CHUNKS_PER_PIECE) {
      yield { ...facts, attachments: [], chunks: piece, last: false };
      piece = [];
    }
    piece.push(prepare(chunk, position++));
  }
  yield { ...facts, attachments, chunks: piece, last: true };
}

/** The bundled model's tokenizer, which measures all text lengths, whichever model embeds. */
export function loadTools(): Promise<Tokenizer> {
  return loadTokenizer(bundledModelDir());
}

/** Analyses a chunk for the keyword index. The words of a Q&A question count as its title. */
function analyze(kind: PieceRequest["body"]["kind"], title: string, chunk: Chunk, language: Language | null) {
  if (kind !== "qa") return analyzeChunk([...chunk.headings, chunk.content].join("\n"), title, language);
  const [question = "", ...answer] = chunk.embeddingText.split("\n");
  return analyzeChunk(answer.join("\n"), question, language);
}

async function* cut({ maxTokens, ...request }: PieceRequest, tokenizer: Tokenizer) {
  const { body } = request;
  const limits = { maxTokens, countTokens: tokenizer.count };
  if (body.kind === "qa") {
    const chunks = chunkQuestion({ ...body, ...limits });
    if (chunks.length * Buffer.byteLength(chunks[0]?.content ?? "") > QUESTION_BYTES_MAX) throw tooLongAnswer();
    return { title: body.question, notice: null, metadata: {}, attachments: [], chunks };
  }
  const document = yield* read(body, request);
  const title = body.kind === "text" ? body.title : documentTitle(document, body.fileName);
  const { notice = null, metadata, attachments = [] } = document;
  return { title, notice, metadata, attachments, chunks: chunkDocument(document, { title, ...limits }) };
}

async function* read(
  body: Exclude<PieceRequest["body"], { kind: "qa" }>,
  { ocrLanguages, recognised }: Pick<PieceRequest, "ocrLanguages" | "recognised">,
): AsyncGenerator<ReadingProgress, ParsedDocument> {
  if (body.kind === "text") return await parseMarkdownBytes(Buffer.from(body.content));
  return yield* readDocument(body.bytes, body.fileName, ocrLanguages, recognised);
}

/** Takes the first chunks, as many as language detection needs. */
function takeSample(chunks: Iterator<Chunk>): Chunk[] {
  const taken: Chunk[] = [];
  for (let length = 0; length < LANGUAGE_SAMPLE_CHARS; ) {
    const { done, value } = chunks.next();
    if (done) break;
    taken.push(value);
    length += value.content.length + 1;
  }
  return taken;
}

function textOf(chunks: Chunk[]): string {
  const text = chunks.map(({ content }) => content).join("\n");
  return text.slice(0, LANGUAGE_SAMPLE_CHARS);
}

function* concat(first: Chunk[], rest: Iterator<Chunk>): Generator<Chunk> {
  yield* first;
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value;
}

function tooLongAnswer(): UnreadableFile {
  return new UnreadableFile("The answer is too long. Split it into several questions, or add it as a document.");
}

function tooManyChunks(): UnreadableFile {
  const most = countText(CHUNKS_PER_SOURCE_MAX);
  return new UnreadableFile(`The source has more than ${most} chunks. Split it into several sources.`);
}
