import { expect, test } from "vitest";
import { parseText } from "./text.ts";

test("paragraphs, wrapped lines, lists and the headings that are obvious", () => {
  const { blocks } = parseText(
    [
      "Opening hours\r\n=============\r\n\r\n",
      "The shop is open from Monday to Friday, and on\r\nSaturdays in December as well.\r\n\r\n",
      "2.1 Holidays\r\n\r\n",
      "Closed on:\r\n- Christmas\r\n* Easter\r\n\r\n",
      "Main Street 1\r\n20121 Milano\r\n\r\n",
      "3 apples cost one euro.",
    ].join(""),
  );
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Opening hours" },
    { kind: "paragraph", text: "The shop is open from Monday to Friday, and on Saturdays in December as well." },
    { kind: "heading", level: 2, text: "2.1 Holidays" },
    { kind: "paragraph", text: "Closed on:" },
    { kind: "list", text: "- Christmas\n* Easter" },
    { kind: "paragraph", text: "Main Street 1\n20121 Milano" },
    { kind: "paragraph", text: "3 apples cost one euro." },
  ]);
});
