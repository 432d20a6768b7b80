import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { addFiles, type GivenFile } from "../knowledge/intake/add.ts";
import { listManaged } from "../knowledge/manage/list.ts";
import { listQuery } from "../knowledge/manage/schema.ts";
import { workUntilDone } from "./knowledge.ts";

const PARTS = {
  "terms.txt":
    "Content-Type: text/plain\r\nContent-Disposition: attachment; filename=terms.txt\r\n\r\nThe walrus clause ends in May.",
  "plan.txt":
    "Content-Type: text/plain\r\nContent-Disposition: attachment; filename=plan.txt\r\n\r\nThe otter plan starts in May.",
  "data.zip": `Content-Type: application/zip\r\nContent-Disposition: attachment; filename=data.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from("PK\u0003\u0004junk").toString("base64")}`,
};

/** An email file with these attachments. An archive among them cannot be read. */
export function email(text: string, parts: (keyof typeof PARTS)[] = ["terms.txt", "data.zip"]): Buffer {
  const body = [`Content-Type: text/plain\r\n\r\n${text}`, ...parts.map((part) => PARTS[part])];
  const header =
    'From: Ada <ada@example.com>\r\nTo: grace@example.com\r\nSubject: Our terms\r\nDate: Mon, 02 Mar 2026 09:30:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"';
  return Buffer.from(`${header}\r\n\r\n${body.map((part) => `--b\r\n${part}\r\n`).join("")}--b--\r\n`);
}

/** Adds a file and works until its attachments are processed too. */
export async function addFile(scope: TenantScope, file: GivenFile) {
  const [accepted] = await addFiles(scope, SYSTEM_ACTOR, [file], { widenTo: "any" });
  await workUntilDone(scope, accepted ? [accepted] : []);
  return accepted;
}

/** The sources whose identifiers start with a prefix, by identifier. */
export async function sourcesBelow(scope: TenantScope, prefix: string) {
  const { sources } = await listManaged(scope, SYSTEM_ACTOR, listQuery.parse({ prefix }));
  return new Map(sources.map((source) => [source.sourceId, source]));
}
