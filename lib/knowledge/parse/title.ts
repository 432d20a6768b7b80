/**
 * False for titles that programs set automatically, such as file names, "untitled" or the name of a template. The first
 * heading is a better title then.
 */
export function isSensibleTitle(title: string): boolean {
  if (title.length < 3 || title.length > 300 || !/\p{L}/u.test(title)) return false;
  if (
    /^(?:microsoft (?:word|powerpoint|excel) -|untitled|document\d*$|\(anonymous\)|title$|slide \d+$|powerpoint presentation$)/i.test(
      title,
    )
  )
    return false;
  if (/\.(?:docx?|xlsx?|pptx?|pdf|odt|rtf|txt|html?|md|indd|tex|dvi|jpe?g|png|tiff?|pages)$/i.test(title)) return false;
  return /\s/.test(title) || !/[_\d]/.test(title);
}
