import { cheap, type HostileFile, hostileFiles, text } from "./hostile-file.ts";

const ELF = Buffer.concat([Buffer.from([0x7f]), Buffer.from("ELF"), Buffer.alloc(2_000, 1)]);
const MZ = Buffer.concat([Buffer.from("MZ"), Buffer.alloc(2_000, 2)]);
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000003e8000003e80802000000", "hex");

/** Files whose content does not match their name, and names that could break a file system, a terminal or a page. */
export const names: HostileFile[] = hostileFiles({
  "page-inside.pdf": cheap(() => text("<!doctype html><script>alert(1)</script>")),
  "program.pdf": cheap(() => MZ),
  "program.docx": cheap(() => ELF),
  "invoice.pdf.exe": cheap(() => MZ),
  "invoice.exe.pdf": cheap(() => ELF),
  "picture.md": cheap(() => PNG),
  "pdf-inside.txt": cheap(() => text("%PDF-1.4 nothing else")),
  "empty.pdf": cheap(() => Buffer.alloc(0)),
  "empty.md": cheap(() => Buffer.alloc(0)),
  "blank.md": cheap(() => text(" \n\t\n")),
  "zero\0byte.txt": cheap(() => text("Granite")),
  "line\nend\r\n.txt": cheap(() => text("Granite")),
  "\u202Etxt.exe\u202C.md": cheap(() => text("Granite")),
  [`${"long".repeat(120)}.md`]: cheap(() => text("Granite")),
  "../../../../etc/passwd.md": cheap(() => text("Granite")),
  "..": cheap(() => text("Granite")),
  "/etc/passwd": cheap(() => text("Granite")),
  "C:\\windows\\system32\\a.md": cheap(() => text("Granite")),
  "CON.txt": cheap(() => text("Granite")),
  NUL: cheap(() => text("Granite")),
  "<img src=x onerror=alert(1)>.md": cheap(() => text("Granite")),
  "'; drop table ragstone.sources; --.md": cheap(() => text("Granite")),
  "$(reboot) `reboot` %s %n.md": cheap(() => text("Granite")),
  "\uD800lone.md": cheap(() => text("Granite")),
  " .md": cheap(() => text("Granite")),
  __proto__: cheap(() => text("Granite")),
});
