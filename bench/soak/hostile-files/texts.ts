import { cheap, type HostileFile, hostileFiles, text } from "./hostile-file.ts";

const MB = 1024 * 1024;
const MARK = "\u0301";

/** HTML, Markdown and plain text: deep nesting, input that slows down parsers, and bytes that are not text. */
export const texts: HostileFile[] = hostileFiles({
  "a-million-nested.html": () => text(`<html>${"<div>".repeat(1_000_000)}granite`),
  "unclosed-bold.html": () => text(`<html>${"<b>a".repeat(100_000)}`),
  "unclosed-links-in-tables.html": () => text(`<html>${"<a><table><b>".repeat(20_000)}`),
  "crossed-tags.html": () => text(`<html>${"<b><p><i>".repeat(20_000)}${"</b></p></i>".repeat(20_000)}`),
  "a-million-attributes.html": () =>
    text(`<html><p ${Array.from({ length: 300_000 }, (_, index) => `a${index}=1`).join(" ")}>granite`),
  "wide-cells.html": cheap(() =>
    text(`<html><table>${"<tr><td colspan=1000000 rowspan=65534>a</td></tr>".repeat(1_000)}</table>`),
  ),
  "nested-tables.html": cheap(() => text(`<html>${"<table><tr><td>".repeat(2_000)}granite`)),
  "nested-lists.html": cheap(() => text(`<html>${"<ul><li>a".repeat(3_000)}`)),
  "nested-drawings.html": cheap(() => text(`<html>${"<svg><math><template><select>".repeat(5_000)}granite`)),
  "entities.html": () => text(`<html><p>${"&amp&lt;&notanentity;&#x110000;&#0;".repeat(200_000)}`),
  "comments-that-never-end.html": cheap(() => text(`<html>${"<!--".repeat(500_000)}`)),
  "starts-like-comments.html": cheap(() => text(`${"<!---->".repeat(300)}${"<!--".repeat(100_000)}`)),
  "scripts.html": cheap(() => text(`<html><script>while(true){}</script><img src=x onerror="alert(1)"><p>granite</p>`)),
  "single-line-100-mb.txt": cheap(() => Buffer.alloc(100 * MB, "granite ")),
  "single-line-10-mb.txt": () => Buffer.alloc(10 * MB, "granite "),
  "one-word-of-10-mb.txt": () => Buffer.alloc(10 * MB, "a"),
  "letters.txt": cheap(() => text("a".repeat(50_000))),
  "brackets.txt": cheap(() => text("(".repeat(50_000))),
  "spaces.txt": cheap(() => text(`a${" ".repeat(1_000_000)}b`)),
  "line-ends.txt": cheap(() => text(`a${"\n".repeat(2_000_000)}b`)),
  "tabs-and-line-ends.txt": cheap(() => text(`a${"\n\t ".repeat(500_000)}b`)),
  "combining-marks.txt": cheap(() => text(`a${MARK.repeat(50_000)} `.repeat(4))),
  "6-mb-of-combining-marks.txt": () => text(`a${MARK.repeat(3 * MB)}`),
  "digits-and-dots.txt": cheap(() => text("1.".repeat(200_000))),
  "capitals.txt": cheap(() => text(`${"A".repeat(99)}\n`.repeat(20_000))),
  "underlines.txt": cheap(() => text("a\n===\n".repeat(100_000))),
  "underlined-in-one-paragraph.txt": () => text("A\n---\n".repeat(30_000).trim()),
  "addresses.txt": cheap(() => text("http://a.a".repeat(50_000))),
  "quotes.md": () => text(">".repeat(50_000)),
  "quotes-with-spaces.md": () => text("> ".repeat(20_000)),
  "lists.md": cheap(() => text("- ".repeat(10_000))),
  "indented-lists.md": () => text(Array.from({ length: 2_000 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n")),
  "emphasis.md": () => text("a**b".repeat(100_000)),
  "underscores.md": () => text("a _b ".repeat(100_000)),
  "crossed-emphasis.md": () => text("*a _b ".repeat(50_000)),
  "brackets.md": () => text("[".repeat(50_000)),
  "images.md": () => text("![a](".repeat(50_000)),
  "links.md": () => text("[a](<b".repeat(50_000)),
  "closed-brackets.md": () => text(`${"[a".repeat(20_000)}${"]".repeat(20_000)}`),
  "references.md": () =>
    text(
      `${Array.from({ length: 20_000 }, (_, index) => `[r${index}]: /u`).join("\n")}\n\n${"[r1][r2] ".repeat(20_000)}`,
    ),
  "backticks.md": () => text(Array.from({ length: 1_000 }, (_, length) => `${"`".repeat(length)}a`).join(" ")),
  "tags.md": () => text("<a ".repeat(100_000)),
  "comments.md": () => text("a <!-- ".repeat(50_000)),
  "ampersands.md": cheap(() => text("&a".repeat(100_000))),
  "wide-table.md": () =>
    text(`|${"a|".repeat(10_000)}\n|${"-|".repeat(10_000)}\n${`|${"b|".repeat(10)}\n`.repeat(200)}`),
  "long-table.md": () => text(`|a|b|\n|-|-|\n${"|c\n".repeat(100_000)}`),
  "strikes.md": () => text("a~~b~".repeat(100_000)),
  "autolinks.md": () => text("www.a".repeat(50_000)),
  "addresses.md": () => text("a@a.".repeat(50_000)),
  "footnotes.md": () => text(`${"[^1] ".repeat(20_000)}\n\n[^1]: a`),
  "placeholders.md": () => text("<your name>".repeat(20_000)),
  "unclosed-html.md": () => text("a <b>\n".repeat(50_000)),
  "aliases.md": cheap(() =>
    text(
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghijk"
        .split("")
        .map((name, index) => `${name}: &${name} [${`*${"abcdefghij"[index]},`.repeat(9)}]`)
        .join("\n")}\n---\ntext`,
    ),
  ),
  "deep-front-matter.md": cheap(() => text(`---\na: ${"[".repeat(50_000)}\n---\ntext`)),
  "large-front-matter.md": () =>
    text(`---\n${Array.from({ length: 100_000 }, (_, index) => `k${index}: v`).join("\n")}\n---\ntext`),
  "front-matter-prototype.md": cheap(() => text("---\n__proto__: {a: 1}\nconstructor: x\ntitle: [a]\n---\ntext")),
  "utf16-without-mark.txt": cheap(() => Buffer.from("Granite weathers slowly. ".repeat(1_000), "utf16le")),
  "odd-utf16.txt": cheap(() =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("Granite\uD800", "utf16le"), Buffer.from([1])]),
  ),
  "invalid-utf8.txt": cheap((random) => Buffer.from(Array.from({ length: 20_000 }, () => random.between(0x80, 0xff)))),
  "zeros.txt": cheap(() => Buffer.alloc(100_000)),
  "text-with-zeros.txt": cheap(() => text("granite\0".repeat(2_000))),
  "noise.txt": cheap((random) => Buffer.from(Array.from({ length: 50_000 }, () => random.between(0, 255)))),
  "turned-around.txt": cheap(() => text("\u202Egranite\u202C \u2066\u200B\uFEFF".repeat(5_000))),
  "lone-surrogates.md": cheap(() => text("\\ud800 \uFFFF \uFFFE ".repeat(5_000))),
});
