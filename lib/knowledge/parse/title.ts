/** Titles that programs set by themselves, whatever follows. */
const SET_BY_PROGRAM =
  /^(?:microsoft (?:word|powerpoint|excel) -|untitled|document\d*$|\(anonymous\)|title$|slide \d+$|powerpoint presentation$)/i;
const EXTENSION = /\.(?:docx?|xlsx?|pptx?|pdf|odt|rtf|txt|html?|md|indd|tex|dvi|jpe?g|png|tiff?|pages)$/i;
/** What office programs call a new file, in the languages of their users. */
const NEW_FILE =
  /^(?:doc|dokument|documento?|book|workbook|sheet|mappe|libro|cartel|classeur|map|pasta|livro|présentation|presentation|präsentation|presentazione|presentación|presentatie|apresentação|文档|文書|工作簿|演示文稿|プレゼンテーション)\d{1,3}$/iu;
/** What cameras and scanners call a file: "IMG1234", "scan-0001". */
const NUMBERED_FILE = /^(?:img|dsc[fn]?|pxl|vid|image|photo|foto|scan|scanned|screenshot|fax|file|page)[-.]?\d+$/i;
/** Words in lower case with a number, joined without spaces: "terms-2024". */
const JOINED_WORDS = /^(?=.*\d)[\p{Ll}\d]+(?:[-.][\p{Ll}\d]+)+$/u;
/** A timestamp, a hash or a UUID. */
const MACHINE_ID = /\d{7}|^(?=.*\d)[\da-f-]{16,}$/i;

/**
 * False for titles that programs set automatically, such as file names, "untitled" or the name of a template. The first
 * heading is a better title then.
 */
export function isSensibleTitle(title: string): boolean {
  // one character can be a word in Chinese or Japanese only
  if (title.length > 300 || !/\p{Lo}|.{2}/u.test(title) || !/\p{L}/u.test(title)) return false;
  if (SET_BY_PROGRAM.test(title) || EXTENSION.test(title)) return false;
  if (/\s/.test(title)) return true;
  return !title.includes("_") && ![NEW_FILE, NUMBERED_FILE, JOINED_WORDS, MACHINE_ID].some((made) => made.test(title));
}
