import { createRequire } from "node:module";
import type { FieldsData } from "@kenjiuno/msgreader";
import { decodeHtml } from "./decode.ts";
import { type Attachment, damagedFile, type ParsedDocument } from "./document.ts";
import { documentFromEmail, personName } from "./email.ts";

/** Node and the tests' loader disagree on what the default import of this CommonJS package is. */
const { default: MsgReader }: typeof import("@kenjiuno/msgreader") = createRequire(import.meta.url)(
  "@kenjiuno/msgreader",
);

/** Reads an Outlook message. @throws {UnreadableFile} */
export function parseMsg(bytes: Uint8Array): ParsedDocument {
  const reader = new MsgReader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const message = reader.getFileData();
  if (message.error !== undefined) throw damagedFile("it contains no Outlook message");
  return documentFromEmail({
    subject: message.subject ?? "",
    from: personName(message.senderName, message.senderSmtpAddress ?? message.senderEmail),
    to: recipients(message, "to"),
    cc: recipients(message, "cc"),
    date: isoDate(message.clientSubmitTime ?? message.messageDeliveryTime),
    html: message.bodyHtml ?? (message.html ? decodeHtml(message.html) : ""),
    text: message.body ?? "",
    attachments: (message.attachments ?? []).map((file) => attachmentOf(reader, file)),
  });
}

/** A message in the message, and a link to a file elsewhere, have no bytes of their own. */
function attachmentOf(reader: InstanceType<typeof MsgReader>, file: FieldsData): Attachment {
  const fileName = file.fileName ?? file.fileNameShort ?? file.name ?? "a file";
  return { fileName, bytes: file.dataId === undefined ? new Uint8Array() : reader.getAttachment(file).content };
}

function recipients({ recipients = [] }: FieldsData, type: FieldsData["recipType"]): string {
  return recipients
    .filter(({ recipType = "to" }) => recipType === type)
    .map(({ name, smtpAddress, email }) => personName(name, smtpAddress ?? email))
    .join(", ");
}

function isoDate(date = ""): string {
  const parsed = new Date(date);
  return Number.isNaN(parsed.getTime()) ? date : parsed.toISOString();
}
