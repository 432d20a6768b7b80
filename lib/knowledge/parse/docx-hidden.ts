import type { Element } from "hast";
import JSZip from "jszip";
import { hiddenStyles, type TextStyle } from "./hidden-styles.ts";
import { attribute, childElements, findElements, parseXml } from "./xml.ts";
import { readZipEntries } from "./zip.ts";

const STYLES = "word/styles.xml";
const PARTS = /^word\/(?:styles|document\d*|footnotes|endnotes)\.xml$/;
const TAG = /<(\/?)w:(p|r|t|pStyle|rStyle|vanish|pPrChange|rPrChange)(?=[\s/>])([^<>]*)>/g;
const VALUE = /\bw:val=["']([^"']*)/;
const OFF = /^(?:0|false|off)$/;

/**
 * Removes the text of a Word document that is formatted as hidden, because the library reads it like any other.
 * @returns also whether there was any
 */
export async function withoutHiddenText(bytes: Uint8Array): Promise<{ bytes: Uint8Array; found: boolean }> {
  const parts = await readZipEntries(bytes, (name) => PARTS.test(name));
  if (![...parts.values()].some((xml) => xml.includes("<w:vanish"))) return { bytes, found: false };
  const styles = hiddenStyles(findElements(parseXml(parts.get(STYLES) ?? ""), "w:style").map(textStyle));
  const changed = [...parts].flatMap(([name, xml]) => {
    const visible = name === STYLES ? xml : visibleTexts(xml, styles);
    return visible === xml ? [] : [{ name, visible }];
  });
  if (changed.length === 0) return { bytes, found: false };
  const zip = await JSZip.loadAsync(bytes);
  for (const { name, visible } of changed) zip.file(name, visible);
  return { bytes: await zip.generateAsync({ type: "uint8array" }), found: true };
}

function textStyle(style: Element): TextStyle {
  const children = childElements(style);
  const child = (name: string) => children.find(({ tagName }) => tagName === name) ?? null;
  const format = child("w:rpr");
  const vanish = format && childElements(format).find(({ tagName }) => tagName === "w:vanish");
  return {
    name: attribute(style, "w:styleid"),
    hides: vanish ? !OFF.test(attribute(vanish, "w:val")) : null,
    base: attribute(child("w:basedon"), "w:val"),
  };
}

/** An open paragraph or run. */
interface Frame {
  name: string;
  hidden: boolean;
}

/** Cuts the texts of runs that are hidden by their own format, by their style or by that of their paragraph. */
function visibleTexts(xml: string, styles: Set<string>): string {
  const open: Frame[] = [];
  const kept: string[] = [];
  let from = 0;
  let earlier = 0;
  for (const { 0: tag, 1: slash, 2: name = "", 3: attributes = "", index } of xml.matchAll(TAG)) {
    const top = open.at(-1);
    const isEmpty = attributes.endsWith("/");
    if (name === "t") {
      if (!top?.hidden || isEmpty) continue;
      if (slash === "") kept.push(xml.slice(from, index));
      from = index + tag.length;
    } else if (name === "p" || name === "r") {
      if (slash === "/") open.pop();
      // a text box is a run that has paragraphs of its own
      else if (!isEmpty) open.push({ name, hidden: top?.hidden ?? false });
    } else if (name.endsWith("Change")) {
      // what the format was before a tracked change
      earlier += slash === "/" ? -1 : 1;
    } else if (top && slash === "" && earlier === 0) {
      applyFormat(top, name, attributes, styles);
    }
  }
  return kept.join("") + xml.slice(from);
}

function applyFormat(frame: Frame, name: string, attributes: string, styles: Set<string>): void {
  const [, value = ""] = VALUE.exec(attributes) ?? [];
  if (name === "pStyle" || name === "rStyle") {
    if (name.startsWith(frame.name) && styles.has(value)) frame.hidden = true;
  } else if (frame.name === "r") {
    // the mark of a paragraph may be hidden without hiding its text
    frame.hidden = !OFF.test(value);
  }
}
