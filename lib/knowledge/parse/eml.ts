import PostalMime, { type Address, type Attachment as EmailAttachment } from "postal-mime";
import { type ParsedDocument, UnreadableFile } from "./document.ts";
import { documentFromEmail, personName } from "./email.ts";

/** Messages inside messages are read this deep. Each level costs as much time as the first. */
const FORWARDED_DEPTH_MAX = 2;

/** Reads an email message in the format of the internet. Images that its HTML shows are not attachments. @throws {UnreadableFile} */
export async function parseEml(bytes: Uint8Array): Promise<ParsedDocument> {
  const email = await read(bytes);
  return documentFromEmail({
    subject: email.subject ?? "",
    from: people(email.from ? [email.from] : []),
    to: people(email.to),
    cc: people(email.cc),
    date: email.date ?? "",
    html: email.html ?? "",
    text: email.text ?? "",
    attachments: email.attachments
      .filter((attachment) => !isEmbedded(attachment, email.html ?? ""))
      .map(({ filename, mimeType, content }) => ({ fileName: filename ?? mimeType, bytes: bytesOf(content) })),
  });
}

async function read(bytes: Uint8Array) {
  try {
    return await PostalMime.parse(bytes, { maxRfc822NestingDepth: FORWARDED_DEPTH_MAX });
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("Maximum"))) throw error;
    throw new UnreadableFile(
      "The message has too many parts to be read. Save its text and attachments as files and add those.",
      { cause: error },
    );
  }
}

/** Whether a part is an image or is shown by the HTML, which names it by its Content-ID. */
function isEmbedded({ related, mimeType, contentId = "" }: EmailAttachment, html: string): boolean {
  if (related !== true) return false;
  return mimeType.startsWith("image/") || html.includes(`cid:${contentId.replace(/^<|>$/g, "")}`);
}

function bytesOf(content: EmailAttachment["content"]): Uint8Array {
  return typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
}

function people(addresses: Address[] = []): string {
  return addresses
    .flatMap((each) => each.group ?? [each])
    .map(({ name, address }) => personName(name, address))
    .join(", ");
}
