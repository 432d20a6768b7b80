/** Titles that programs set by themselves, whatever follows. */
const SET_BY_PROGRAM =
  /^(?:microsoft (?:word|powerpoint|excel) -|新建 microsoft|untitled|document\d*$|\(anonymous\)|title$|slide \d+$|powerpoint presentation$)/i;
const EXTENSION = /\.(?:docx?|xlsx?|pptx?|pdf|odt|rtf|txt|html?|md|indd|tex|dvi|jpe?g|png|tiff?|pages)$/i;
/** What programs call a file without a name, in the languages of their users. */
const WITHOUT_NAME =
  /^(?:unbenannt|sans (?:nom|titre)|senza (?:nome|titolo)|sin (?:nombre|título)|sem (?:nome|título)|naamloos|без имени|безымянный|无标题|未命名|無題|名称未設定|제목 없음)(?:[-_. ]?\d{1,3})?$/iu;
/** What office programs call a new file. */
const NEW_FILE =
  /^(?:doc|dokument|documento?|book|workbook|sheet|mappe|libro|cartel|classeur|map|pasta|livro|présentation|presentation|präsentation|presentazione|presentación|presentatie|apresentação|документ|книга|лист|презентация|(?:新建)?(?:文档|工作簿|工作表|演示文稿)|文書|ブック|プレゼンテーション|(?:통합 )?문서|프레젠테이션)[-_.]?\d{1,3}$/iu;
/** What cameras and scanners call a file: "IMG1234", "scan-0001". */
const NUMBERED_FILE = /^(?:img|dsc[fn]?|pxl|vid|image|photo|foto|scan|scanned|screenshot|fax|file|page)[-.]?\d+$/i;
/** Small letters with a number: "final2". Capitals are mostly a name: "ISO27001". */
const SMALL_LETTERS = /^\p{Ll}+\d+$/u;
/** Small words with a number, joined: "price-list-3". One word with one number can be a name: "iso-27001". */
const JOINED_WORDS = /^(?!\p{Ll}+-\d{1,5}$)(?=.*\d)[\p{Ll}\d]+(?:[-.][\p{Ll}\d]+)+$/u;
/** A version or a month beside other words: "Report-Final-v2", "Rechnung-2024-01". */
const VERSION =
  /(?:^(?=.*[-.])|[-.])(?:final|draft|copy|entwurf|bozza|v\d+|(?:19|20)\d\d[-.]?(?:0[1-9]|1[0-2])(?:[-.]?[0-3]\d)?)(?=[-.]|$)/i;
/** A year beside small letters: "Rechnung-2024". "AGB-2024" is a title. */
const YEAR = /^(?=.*\p{Ll})(?:.*[-.])?(?:19|20)\d\d(?=[-.]|$)/u;
/** A timestamp, a hash or a UUID. */
const MACHINE_ID = /\d{7}|^(?=.*\d)[\da-f-]{16,}$/i;
const FILE_NAMES = [NUMBERED_FILE, SMALL_LETTERS, JOINED_WORDS, VERSION, YEAR, MACHINE_ID];

/**
 * False for titles that programs set automatically, such as file names, "untitled" or the name of a template. The first
 * heading is a better title then.
 */
export function isSensibleTitle(title: string): boolean {
  if (title.length > 300 || !/\p{L}/u.test(title)) return false;
  const composed = title.normalize();
  // one character can be a word in Chinese or Japanese only
  if (!/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|.{2}/u.test(composed)) return false;
  if ([SET_BY_PROGRAM, WITHOUT_NAME, NEW_FILE, EXTENSION].some((made) => made.test(composed))) return false;
  if (/\s/.test(composed)) return true;
  return !composed.includes("_") && !FILE_NAMES.some((made) => made.test(composed));
}
