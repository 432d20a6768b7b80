import { type OfficeContentNode, parseOffice } from "officeparser";
import { type Block, type ParsedDocument, tidyLine, tooDeeplyNested } from "./document.ts";
import { runText, type TextRun } from "./hast-superscripts.ts";
import { HIDDEN_TEXT } from "./hidden-notice.ts";
import { withoutHiddenRtfText } from "./rtf-hidden.ts";
import { splitHeader } from "./table.ts";
import { isSensibleTitle } from "./title.ts";

/** Reads a Rich Text file. @throws {UnreadableFile} */
export async function parseRtf(bytes: Uint8Array): Promise<ParsedDocument> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const all = buffer.toString("latin1");
  const { rtf, found } = withoutHiddenRtfText(all);
  const { content } = await read(rtf === all ? buffer : Buffer.from(rtf, "latin1"));
  const info = /\\title ([^{}\\]{1,300})\}/.exec(rtf.slice(0, 100_000));
  const title = tidyLine(info?.[1] ?? "");
  return {
    title: isSensibleTitle(title) ? title : null,
    blocks: joinLists(content.flatMap(toBlocks)),
    metadata: {},
    notice: found ? HIDDEN_TEXT : undefined,
  };
}

async function read(buffer: Buffer) {
  try {
    return await parseOffice(buffer, { ocr: false, extractAttachments: false, fileType: "rtf" });
  } catch (error) {
    if (!(error instanceof Error && error.message.includes("nesting depth"))) throw error;
    throw tooDeeplyNested({ cause: error });
  }
}

function toBlocks(node: OfficeContentNode): Block[] {
  const text = textOf(node);
  switch (node.type) {
    case "heading":
      return [{ kind: "heading", level: node.metadata?.level ?? 1, text }];
    case "table": {
      const rows = (node.children ?? []).map((row) => (row.children ?? []).map((cell) => tidyLine(textOf(cell))));
      return [{ kind: "table", ...splitHeader(rows) }];
    }
    case "list": {
      const indent = "  ".repeat(Math.min(node.metadata?.indentation ?? 0, 8));
      return text.trim() === "" ? [] : [{ kind: "list", text: `${indent}- ${tidyLine(text)}` }];
    }
    case "paragraph":
    case "note":
      return [{ kind: "paragraph", text }];
    case "code":
      return [{ kind: "code", text }];
    default:
      return [];
  }
}

/** The text of a node, whose own text joins superscripts to the numbers before them. */
function textOf({ text = "", children = [] }: OfficeContentNode): string {
  if (children.some(({ formatting }) => formatting?.superscript)) return runText(children.map(toRun));
  return children.some(({ type }) => type === "paragraph") ? children.map(textOf).join("\n") : text;
}

function toRun({ text = "", formatting }: OfficeContentNode): TextRun {
  return { text, place: formatting?.superscript ? "sup" : formatting?.subscript ? "sub" : undefined };
}

/** Joins the items of a list, which the library returns one by one. */
function joinLists(blocks: Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const before = joined.at(-1);
    if (block.kind === "list" && before?.kind === "list") before.text += `\n${block.text}`;
    else joined.push(block);
  }
  return joined;
}
