import { makeMsg } from "../../../lib/knowledge/parse/msg-fixtures.ts";
import { cheap, type HostileFile, hostileFiles, text } from "./hostile-file.ts";

/** Messages with too many parts or headers, false types, and damaged or looping containers. */
export const emails: HostileFile[] = hostileFiles({
  "10k-parts.eml": cheap(() => text(message("Content-Type: text/plain\n\nGranite\n", 10_000))),
  "10k-attachments.eml": cheap(() => text(message("Content-Type: application/pdf\n\nGranite\n", 10_000))),
  "deep-parts.eml": cheap(() => {
    const parts = Array.from(
      { length: 20_000 },
      (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}\n`,
    );
    return text(`Subject: Granite\n${parts.join("")}`);
  }),
  "messages-in-messages.eml": cheap(() =>
    text(`${"Subject: Granite\nContent-Type: message/rfc822\n\n".repeat(20_000)}Granite`),
  ),
  "endless-header.eml": cheap(() => text(`Subject: ${"Granite ".repeat(1_000_000)}`)),
  "many-recipients.eml": cheap(() => text(`Subject: Granite\nTo: ${"<a@b.c>, ".repeat(100_000)}\n\nGranite`)),
  "open-groups.eml": cheap(() => text(`Subject: Granite\nTo: ${"a: (".repeat(100_000)}\n\nGranite`)),
  "false-encoded-words.eml": cheap(() => text(`Subject: ${"=?utf-8?Q?=".repeat(100_000)}\nFrom: a@b.c\n\nGranite`)),
  "deep-html.eml": cheap(() => text(`Subject: Granite\nContent-Type: text/html\n\n${"<div>".repeat(100_000)}`)),
  "cut-off.msg": cheap(() => makeMsg({ subject: "Granite", body: "Granite ".repeat(1_000) }).subarray(0, 3_000)),
  "flipped-bytes.msg": cheap((random) => {
    const bytes = makeMsg({
      subject: "Granite",
      body: "Granite weathers slowly. ".repeat(500),
      attachments: [{ name: "a" }, { name: "b" }],
    });
    for (let count = 0; count < 60; count++) bytes[random.between(30, bytes.length - 1)] = random.between(0, 255);
    return bytes;
  }),
  "sector-loop.msg": cheap(() => {
    const bytes = makeMsg({ subject: "Granite", body: "Granite weathers slowly. ".repeat(5_000) });
    // each entry of the allocation table points to itself
    const table = (bytes.readUInt32LE(0x4c) + 1) * 512;
    for (let entry = 0; entry < 128; entry++) bytes.writeUInt32LE(entry, table + entry * 4);
    return bytes;
  }),
});

function message(part: string, count: number): string {
  return `Subject: Granite\nContent-Type: multipart/mixed; boundary=x\n\n${`--x\n${part}`.repeat(count)}--x--\n`;
}
