import { cleanText } from "../../text.ts";
import { type Attachment, type ParsedDocument, tidyLine } from "./document.ts";
import { parseHtml } from "./html.ts";
import { parseText } from "./text.ts";

/** An email message of any file format. Missing parts are empty. */
interface Email {
  subject: string;
  from: string;
  to: string;
  cc: string;
  /** As in the message, or ISO 8601. */
  date: string;
  html: string;
  text: string;
  attachments: Attachment[];
}

/** Attachments that are listed and that become sources. */
const ATTACHMENTS_MAX = 50;

/** A message as a document: its header lines, its body with everything that it quotes, and the names of its attachments. */
export function documentFromEmail(email: Email): ParsedDocument {
  const { subject, from, to, cc, date } = email;
  const lines = { Subject: subject, From: from, To: to, Cc: cc, Date: date, Attachments: attachmentNames(email) };
  const header = Object.entries(lines).flatMap(([name, value]) => (value === "" ? [] : `${name}: ${tidyLine(value)}`));
  const metadata = Object.fromEntries(Object.entries({ subject, from, to, date }).filter(([, value]) => value !== ""));
  const body = readBody(email);
  return {
    title: subject === "" ? null : subject,
    blocks: [{ kind: "paragraph", text: header.join("\n") }, ...body.blocks],
    metadata,
    notice: body.notice,
    attachments: named(email.attachments.slice(0, ATTACHMENTS_MAX)),
  };
}

/** HTML keeps the tables of a message, so plain text is read only if there is none. */
function readBody({ html, text }: Email): ParsedDocument {
  const read = html === "" ? null : parseHtml(html);
  return read !== null && read.blocks.length > 0 ? read : parseText(text);
}

function attachmentNames({ attachments }: Email): string {
  const more = attachments.length - ATTACHMENTS_MAX;
  const names = attachments.slice(0, ATTACHMENTS_MAX).map(({ fileName }) => fileName);
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** Attachments with names that can be the end of an identifier. Every name is different. */
function named(attachments: Attachment[]): Attachment[] {
  const taken = new Set<string>();
  return attachments.map(({ fileName, bytes }, index) => {
    const name = freeName(tidyLine(cleanText(fileName).replaceAll(/[/\\]/g, "_")), index + 1, taken);
    taken.add(name);
    return { fileName: name, bytes };
  });
}

/** A name, with a number in front if the name is empty or taken. */
function freeName(name: string, place: number, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = place; free === "" || taken.has(free); number++) free = `${number} ${name}`.trim();
  return free;
}

/** "Ada Lovelace <ada@example.com>", or the part that is known. */
export function personName(name = "", address = ""): string {
  if (name === "" || name === address) return address;
  return address === "" ? name : `${name} <${address}>`;
}
