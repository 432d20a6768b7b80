import type { Element } from "hast";
import { decidedStyles, type TextStyle } from "./decided-styles.ts";
import type { DocxParts } from "./docx-parts.ts";
import { attributeNamed, childElements, findElements, parseXml } from "./xml.ts";

const HIDDEN_FORMAT = /<(?:[\w.-]+:)?vanish[\s/>]/;
const CONTENT = new Set(["t", "sym", "noBreakHyphen", "footnoteReference", "endnoteReference"]);
const TAG = new RegExp(
  `<(/?)(?:[\\w.-]+:)?(p|r|${[...CONTENT].join("|")}|pStyle|rStyle|vanish|pPrChange|rPrChange)(?=[\\s/>])([^<>]*)>`,
  "g",
);
const VALUE = /[\s:]val=["']([^"']*)/;
const OFF = /^(?:0|false|off)$/;

/**
 * Removes the text of a Word document that is formatted as hidden, because the library reads it like any other.
 * @returns the parts with text, and whether text was removed
 */
export function withoutHiddenDocxText({ styled, shown }: DocxParts): { shown: Map<string, string>; found: boolean } {
  if (![...styled.values(), ...shown.values()].some((xml) => HIDDEN_FORMAT.test(xml))) return { shown, found: false };
  const styles = decidedStyles([...styled.values()].flatMap(textStyles));
  const parts = [...shown].map(([name, xml]) => ({ name, ...withoutHiddenRuns(xml, styles) }));
  return { shown: new Map(parts.map(({ name, xml }) => [name, xml])), found: parts.some(({ found }) => found) };
}

/** The styles of a part. Programs choose the prefix of its elements and attributes. */
function textStyles(xml: string): TextStyle<boolean>[] {
  const [root] = childElements(parseXml(xml));
  if (root === undefined) return [];
  const [prefix] = root.tagName.split(":");
  return findElements(root, `${prefix}:style`).map((style) => {
    const child = (of: Element | undefined, name: string) =>
      of && childElements(of).find(({ tagName }) => tagName === `${prefix}:${name}`);
    const vanish = child(child(style, "rpr"), "vanish");
    return {
      name: attributeNamed(style, "styleid"),
      value: vanish ? !OFF.test(attributeNamed(vanish, "val")) : null,
      base: attributeNamed(child(style, "basedon"), "val"),
    };
  });
}

/** An open paragraph or run. */
interface Frame {
  name: string;
  hidden: boolean;
  /** Whether it is in a text box that belongs to a hidden run. */
  inHidden: boolean;
}

/** Cuts the content of runs that are hidden by their own format, or by their style or that of their paragraph. */
function withoutHiddenRuns(xml: string, styles: ReadonlyMap<string, boolean>): { xml: string; found: boolean } {
  const open: Frame[] = [];
  const kept: string[] = [];
  let from = 0;
  let earlier = 0;
  let found = false;
  for (const { 0: tag, 1: slash, 2: name = "", 3: attributes = "", index } of xml.matchAll(TAG)) {
    const top = open.at(-1);
    const isEmpty = attributes.endsWith("/");
    if (CONTENT.has(name)) {
      if (!top || !(top.hidden || top.inHidden)) continue;
      if (slash === "") kept.push(xml.slice(from, index));
      found ||= slash === "" ? name.endsWith("Reference") : xml.slice(from, index).trim() !== "";
      from = index + tag.length;
    } else if (name === "p" || name === "r") {
      if (slash === "/") open.pop();
      else if (!isEmpty) open.push(newFrame(name, top));
    } else if (name.endsWith("Change")) {
      // what the format was before a tracked change
      if (!isEmpty) earlier += slash === "/" ? -1 : 1;
    } else if (top && slash === "" && earlier === 0) {
      applyFormat(top, name, attributes, styles);
    }
  }
  return { xml: kept.join("") + xml.slice(from), found };
}

function newFrame(name: string, outer: Frame | undefined): Frame {
  const inHidden = outer !== undefined && (outer.inHidden || (outer.name === "r" && outer.hidden));
  return { name, hidden: name === "r" && outer?.name === "p" && outer.hidden, inHidden };
}

function applyFormat(frame: Frame, name: string, attributes: string, styles: ReadonlyMap<string, boolean>): void {
  const [, value = ""] = VALUE.exec(attributes) ?? [];
  if (name === "pStyle") {
    if (frame.name === "p") frame.hidden = styles.get(value) ?? false;
  } else if (frame.name === "r") {
    // Word shows text that both the style of its paragraph and its own style hide
    if (name === "rStyle") frame.hidden = frame.hidden !== (styles.get(value) ?? false);
    else frame.hidden = !OFF.test(value);
  }
}
