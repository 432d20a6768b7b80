import { archives } from "./archives.ts";
import { emails } from "./emails.ts";
import type { HostileFile } from "./hostile-file.ts";
import { images } from "./images.ts";
import { names } from "./names.ts";
import { office } from "./office.ts";
import { pdfs } from "./pdfs.ts";
import { texts } from "./texts.ts";
import { workbooks } from "./workbooks.ts";

export { type HostileFile, isPlainSentence } from "./hostile-file.ts";

export const hostileFiles: HostileFile[] = [
  ...archives,
  ...workbooks,
  ...pdfs,
  ...office,
  ...emails,
  ...images,
  ...texts,
  ...names,
];
