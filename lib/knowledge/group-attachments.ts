import { openSpool } from "../storage/spool.ts";
import type { GivenFile } from "./intake/add.ts";
import type { ExportedFile, ExportedSource, ExportedText } from "./read-export.ts";

/** A file, with those that are attached to it if it is an email. */
export interface FileGroup {
  kind: "files";
  email: GivenFile;
  attachments: GivenFile[];
}

/**
 * Groups each email of an export with the attachments that follow it. They wait in temporary files, because together they
 * may not fit in memory; the files of a group are deleted when the next line is read.
 */
export async function* groupAttachments(
  lines: AsyncIterable<ExportedSource>,
): AsyncGenerator<ExportedText | FileGroup> {
  const spool = openSpool();
  const spooled = async ({ file: { bytes, ...file } }: ExportedFile) => ({
    ...file,
    spooled: await spool.add([bytes]),
  });
  let group: FileGroup | null = null;
  try {
    for await (const line of lines) {
      if (line.kind === "source") yield line;
      else if (group && line.attachedTo === group.email.sourceId) group.attachments.push(await spooled(line));
      else {
        if (group) yield group;
        await spool.clear();
        group = { kind: "files", email: line.file, attachments: [] };
      }
    }
    if (group) yield group;
  } finally {
    await spool.clear();
  }
}
