import { type ParsedDocument, tidyLine } from "../parse/document.ts";
import { type Atom, atomsFromBlocks, clip, type Measure } from "./atoms.ts";
import { packAtoms } from "./pack.ts";
import { sectionsOf } from "./sections.ts";

export interface Chunk {
  /** The text that results show and answers cite. */
  content: string;
  /** The headings above the chunk, highest first, without the document's title. */
  headings: string[];
  /** The page where the chunk starts, from 1; null for documents without pages. */
  page: number | null;
  /** The text to embed: title, headings and content, within the model's window. */
  embeddingText: string;
}

interface ChunkLimits {
  /** The embedding model's window in tokens, including the tokens that it adds itself. */
  maxTokens: number;
  /** Tokens of a text, with or without the special tokens that the model adds, such as `[CLS]`. */
  countTokens: (text: string) => number;
}

/** Longer chunks cover too many topics to be found by one of them. */
const CONTENT_TOKENS_MAX = 200;
const PREFIX_TOKENS_MAX = 40;
/** Tokens for the model's special tokens and the separators between the parts of a text. */
const RESERVED_TOKENS = 6;
/** Limits chunks when the tokenizer counts any long word as one unknown token. */
const CHARACTERS_PER_TOKEN_MAX = 8;
/** The same text is measured again soon or never, so a small cache is enough. */
const SIZES_KEPT = 2_000;

/**
 * Splits a document lazily into chunks that follow its headings and paragraphs. Pure, and stable under edits: a chunk
 * depends only on nearby text, so an edited paragraph changes its own chunk and at most the chunks next to it.
 */
export function* chunkDocument(document: ParsedDocument, options: { title: string } & ChunkLimits): Generator<Chunk> {
  const title = tidyLine(options.title);
  const prefixMax = Math.min(PREFIX_TOKENS_MAX, Math.floor(options.maxTokens / 6));
  const max = Math.min(CONTENT_TOKENS_MAX, options.maxTokens - prefixMax - RESERVED_TOKENS);
  const measure = measureOf(options, max);
  for (const { headings, blocks } of sectionsOf(document.blocks, title)) {
    const prefix = prefixOf([title, ...headings], { ...measure, max: prefixMax });
    for (const atoms of packAtoms(atomsFromBlocks(blocks, measure), max)) {
      yield* chunksFromAtoms(atoms, prefix, headings, options);
    }
  }
}

/**
 * The chunks of a question and its answer. All have the same content: the question and the whole answer. Their embedded
 * texts differ: the question with each part of the answer, the question alone, and each alternative phrasing alone. A
 * question in other words is closer to the question alone.
 */
export function chunkQuestion(
  options: { question: string; answer: string; alternatives: string[] } & ChunkLimits,
): Chunk[] {
  const question = tidyLine(options.question);
  const content = `${options.question.trim()}\n\n${options.answer.trim()}`;
  const room = options.maxTokens - RESERVED_TOKENS;
  const measure = measureOf(options, Math.floor(room / 2));
  const phrasings = new Map(
    [question, ...options.alternatives.map(tidyLine)].map((each) => [each.toLowerCase(), each]),
  );
  phrasings.delete("");
  const asked = clip(question, measure);
  const max = Math.min(CONTENT_TOKENS_MAX, room - measure.sizeOf(asked));
  const parts = Array.from(answerParts(options.answer, { ...measure, max }), (part) => `${asked}\n${part}`.trim());
  const alone = Array.from(phrasings.values(), (phrasing) => clip(phrasing, measure));
  return [...new Set([...parts, ...alone])].map((embeddingText) => ({
    content,
    headings: [],
    page: null,
    embeddingText,
  }));
}

function* answerParts(answer: string, measure: Measure): Generator<string> {
  const paragraphs = answer.split(/\n\s*\n/).map((text) => text.trim());
  const blocks = paragraphs.filter((text) => text !== "").map((text) => ({ kind: "paragraph" as const, text }));
  if (blocks.length === 0) yield "";
  for (const atoms of packAtoms(atomsFromBlocks(blocks, measure), measure.max)) yield joinAtoms(atoms);
}

function chunksFromAtoms(atoms: Atom[], prefix: string, headings: string[], limits: ChunkLimits): Chunk[] {
  const content = joinAtoms(atoms);
  const embeddingText = prefix === "" ? content : `${prefix}\n${content}`;
  if (limits.countTokens(embeddingText) <= limits.maxTokens - RESERVED_TOKENS / 2) {
    return [{ content, headings, page: atoms[0]?.page ?? null, embeddingText }];
  }
  // token counts of parts do not always add up, so a chunk that is too long is halved
  const halves = halve(atoms);
  if (halves === null) return [{ content, headings, page: atoms[0]?.page ?? null, embeddingText: content }];
  return halves.flatMap((half) => chunksFromAtoms(half, prefix, headings, limits));
}

function halve(atoms: Atom[]): [Atom[], Atom[]] | null {
  const middle = Math.ceil(atoms.length / 2);
  if (atoms.length > 1) return [atoms.slice(0, middle), atoms.slice(middle)];
  const [atom] = atoms;
  if (atom === undefined || atom.text.length < 2) return null;
  const characters = [...atom.text];
  const half = Math.ceil(characters.length / 2);
  const part = (from: number, to: number) => [{ ...atom, lead: null, text: characters.slice(from, to).join("") }];
  return [part(0, half), part(half, characters.length)];
}

function joinAtoms(atoms: Atom[]): string {
  const lead = atoms[0]?.lead;
  const text = atoms.map((atom, index) => (index === 0 ? atom.text : atom.glue + atom.text)).join("");
  return lead ? `${lead.text}\n${text}` : text;
}

/** Title and headings within the token limit: the nearest heading and the title first, then as many in between as fit. */
function prefixOf(path: string[], measure: Measure): string {
  const parts = path.filter((part, index) => part !== "" && path.indexOf(part) === index);
  const [title = "", ...headings] = parts;
  const nearest = headings.pop();
  if (nearest === undefined) return clip(title, measure);
  const half = { ...measure, max: Math.floor(measure.max / 2) };
  let prefix = clip(nearest, half);
  const start = clip(title, half);
  for (const heading of headings.reverse()) {
    const longer = `${heading} > ${prefix}`;
    if (measure.sizeOf(`${start} > ${longer}`) > measure.max) break;
    prefix = longer;
  }
  return start === "" ? prefix : `${start} > ${prefix}`;
}

function measureOf({ countTokens }: ChunkLimits, max: number): Measure {
  const added = countTokens("");
  const known = new Map<string, number>();
  function sizeOf(text: string): number {
    const least = Math.ceil(text.length / CHARACTERS_PER_TOKEN_MAX);
    // no need to count the tokens of a text that is too long by its characters
    if (least > max) return least;
    const size = known.get(text) ?? Math.max(countTokens(text) - added, least);
    if (known.size >= SIZES_KEPT) known.clear();
    known.set(text, size);
    return size;
  }
  return { max: Math.max(max, 1), sizeOf };
}
