/**
 * False for what programs write into a title field by themselves: file names, "untitled", a template's name. Such a
 * title says less than the first heading does.
 */
export function isSensibleTitle(title: string): boolean {
  if (title.length < 3 || title.length > 300 || !/\p{L}/u.test(title)) return false;
  if (/^(?:microsoft (?:word|powerpoint|excel) -|untitled|document\d*$|\(anonymous\)|title$|slide \d+$)/i.test(title))
    return false;
  if (/\.(?:docx?|xlsx?|pptx?|pdf|odt|rtf|txt|html?|md|indd|tex|dvi|jpe?g|png|tiff?|pages)$/i.test(title)) return false;
  return /\s/.test(title) || !/[_\d]/.test(title);
}
