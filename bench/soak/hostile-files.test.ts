import { afterAll, expect, test } from "vitest";
import { closeParsers } from "../../lib/knowledge/parse/child-processes.ts";
import { UnreadableFile } from "../../lib/knowledge/parse/document.ts";
import { parseFile } from "../../lib/knowledge/parse/index.ts";
import { hostileFiles, isPlainSentence } from "./hostile-files/index.ts";
import { createRandom } from "./random.ts";

afterAll(closeParsers);

/** The worst files of each format that a good reader handles quickly. */
const WORST = [
  ...["claims-few-bytes.docx", "same-bytes-10k-times.docx", "billion-laughs-utf16.docx", "deep-tables.docx"],
  ...["lying-dimension.xlsx", "one-cell-at-the-end.xlsx", "everything-merged.xlsx", "hostile-number-format.xlsx"],
  ...["many-filters.xlsx", "open-views.xlsx"],
  ...["columns-hidden-100k-times.xlsx", "100k-hidden-rows.xlsx", "50k-hidden-runs.docx", "hidden-in-hidden.docx"],
  ...["page-loop.pdf", "deep-arrays-in-a-page.pdf", "xref-loop.pdf", "form-that-draws-itself.pdf", "program.pdf"],
  ...["deep-groups.pptx", "slide-that-is-its-own-notes.pptx", "wide-table.odt", "open-tags.epub", "deep-groups.rtf"],
  ...["10k-parts.eml", "deep-parts.eml", "messages-in-messages.eml", "open-groups.eml", "sector-loop.msg"],
  ...["starts-like-comments.html", "wide-cells.html", "nested-drawings.html", "only-quotes.csv"],
  ...["lists.md", "aliases.md", "combining-marks.txt", "tabs-and-line-ends.txt", "noise.txt", "zero\0byte.txt"],
];

test("reads hostile files or refuses them in plain words", async () => {
  const chosen = hostileFiles.filter(({ name }) => WORST.includes(name));
  expect(chosen).toHaveLength(WORST.length);
  const unclear: string[] = [];
  for (const { name, make } of chosen) {
    const bytes = make(createRandom(7));
    const answer: unknown = await parseFile({ bytes, fileName: name }).catch((error: unknown) => error);
    if (!(answer instanceof Error)) continue;
    const clear = answer instanceof UnreadableFile && isPlainSentence(answer.message);
    // none of these files should need much time or memory
    if (!clear || /takes longer|more memory|stopped/.test(answer.message)) unclear.push(`${name}: ${answer.message}`);
  }
  expect(unclear).toEqual([]);
}, 180_000);
