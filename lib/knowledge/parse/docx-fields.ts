const FIELD_OR_FORMULA = /<(?:[\w.-]+:)?(?:fldSimple|oMath)[\s/>]/;
/** A value in quotes may hold ">". */
const ATTRIBUTES = `[^<>"']*(?:(?:"[^<"]*"|'[^<']*')[^<>"']*)*`;
const TAG = new RegExp(
  `<(/?)(?:[\\w.-]+:)?(fldSimple|oMathPara|oMath|t|e|den|sup|sub|rad|d)(?=[\\s/>])(${ATTRIBUTES})>`,
  "g",
);
const ROOT_PREFIX = /<((?:[\w.-]+:)?)[\w.-]+[\s>]/;
/** What to write for an element of a formula, so that its numbers stay apart. */
const MARKS: Readonly<Record<string, string>> = { e: " ", den: "/", sup: "^", sub: "_", rad: "√", d: "(", "/d": ")" };

/** Turns simple fields and formulas of a Word document, which the library leaves out, into plain text. */
export function withPlainFields(xml: string): string {
  if (!FIELD_OR_FORMULA.test(xml)) return xml;
  const [, prefix = ""] = ROOT_PREFIX.exec(xml) ?? [];
  const kept: string[] = [];
  let from = 0;
  let formula: string | null = null;
  let textFrom = 0;
  for (const { 0: tag, 1: slash = "", 2: name = "", 3: attributes = "", index } of xml.matchAll(TAG)) {
    const end = index + tag.length;
    if (name === "fldSimple" || name === "oMathPara" || (name === "oMath" && formula === null)) {
      kept.push(xml.slice(from, index));
      from = end;
      if (name === "oMath" && slash === "" && !attributes.endsWith("/")) formula = "";
    } else if (formula !== null && name === "oMath") {
      kept.push(`<${prefix}r><${prefix}t>${formula}</${prefix}t></${prefix}r>`);
      from = end;
      formula = null;
    } else if (formula !== null && name === "t") {
      if (slash === "/") formula += xml.slice(textFrom, index);
      textFrom = end;
    } else if (formula !== null) formula += MARKS[slash + name] ?? "";
  }
  return kept.join("") + xml.slice(from);
}
