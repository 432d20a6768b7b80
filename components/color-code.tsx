import type { ReactNode } from "react";

const KEYWORDS =
  "async|await|const|curl|def|else|export|for|from|function|if|import|in|let|new|of|print|return|with|claude|npm|npx|pip";
/** Comments, texts, constants and keywords, in shell, JSON, TypeScript and Python alike. */
const TOKENS = new RegExp(
  [
    "(?<comment>(?:^|(?<=\\s))(?:#|//)[^\\n]*)",
    "(?<text>\"(?:[^\"\\\\\\n]|\\\\.)*\"|`[^`]*`|'[^'\\n]*')",
    "(?<constant>(?<!\\w:)\\b(?:true|false|null|True|False|None|\\d+(?:\\.\\d+)?)\\b)",
    `(?<keyword>\\b(?:${KEYWORDS})\\b(?!["':-]))`,
  ].join("|"),
  "gm",
);
/** Longer code is shown in one colour, because its many elements would slow the page down. */
const COLORED_CHARS_MAX = 20_000;

const COLORS = { comment: "text-muted", text: "text-success", constant: "text-warning", keyword: "text-accent" };

/** A short piece of code with its texts, constants, keywords and comments in colour. Pure. */
export function colorCode(code: string): ReactNode {
  if (code.length > COLORED_CHARS_MAX) return code;
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: token, index, groups = {} } of code.matchAll(TOKENS)) {
    const color = Object.entries(COLORS).find(([kind]) => groups[kind] !== undefined)?.[1];
    parts.push(
      code.slice(end, index),
      <span key={index} className={color}>
        {token}
      </span>,
    );
    end = index + token.length;
  }
  return [...parts, code.slice(end)];
}
