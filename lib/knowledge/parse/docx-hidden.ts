import type { Element } from "hast";
import JSZip from "jszip";
import { decidedStyles, type TextStyle } from "./hidden-styles.ts";
import { attribute, childElements, findElements, parseXml } from "./xml.ts";
import { readZipEntries } from "./zip.ts";

const STYLES = /^word\/styles/;
const PARTS = /^word\/(?:styles|document|footnotes|endnotes)\d*\.xml$/;
const CONTENT = new Set(["t", "sym", "noBreakHyphen", "footnoteReference", "endnoteReference"]);
const TAG = new RegExp(
  `<(/?)w:(p|r|${[...CONTENT].join("|")}|pStyle|rStyle|vanish|pPrChange|rPrChange)(?=[\\s/>])([^<>]*)>`,
  "g",
);
const VALUE = /\bw:val=["']([^"']*)/;
const OFF = /^(?:0|false|off)$/;

/**
 * Removes the text of a Word document that is formatted as hidden, because the library reads it like any other.
 * @returns also whether text was removed
 */
export async function withoutHiddenText(bytes: Uint8Array): Promise<{ bytes: Uint8Array; found: boolean }> {
  const parts = await readZipEntries(bytes, (name) => PARTS.test(name));
  if (![...parts.values()].some((xml) => xml.includes("<w:vanish"))) return { bytes, found: false };
  const named = [...parts].filter(([name]) => STYLES.test(name)).map(([, xml]) => parseXml(xml));
  const styles = decidedStyles(named.flatMap((part) => findElements(part, "w:style")).map(textStyle));
  const changed = [...parts].flatMap(([name, xml]) => {
    const shown = STYLES.test(name) ? { xml, found: false } : withoutHidden(xml, styles);
    return shown.found ? [{ name, xml: shown.xml }] : [];
  });
  if (changed.length === 0) return { bytes, found: false };
  const zip = await JSZip.loadAsync(bytes);
  for (const { name, xml } of changed) zip.file(name, xml);
  // entries that are compressed already are copied as they are
  return { bytes: await zip.generateAsync({ type: "uint8array", compression: "DEFLATE" }), found: true };
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
  /** Whether it is in a text box that belongs to a hidden run. */
  inHidden: boolean;
}

/** Cuts the content of runs that are hidden by their own format, or by their style or that of their paragraph. */
function withoutHidden(xml: string, styles: ReadonlyMap<string, boolean>): { xml: string; found: boolean } {
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
