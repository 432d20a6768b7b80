import { expect, test } from "vitest";
import { parseHtml } from "./html.ts";

test("keeps the main content and leaves out navigation, header and footer", () => {
  const { title, blocks } =
    parseHtml(`<!doctype html><html><head><title>Help  centre</title><style>p{}</style></head><body>
    <header><a href="/">Logo</a></header><nav><ul><li>Home</li></ul></nav><script>track()</script>
    <div><h1>Refunds</h1><p>You can <b>always</b> ask<br>for one.</p>
    <p hidden>secret</p><p style="display: none">secret</p><p aria-hidden="true">secret</p>
    <form><label>Email</label><input value="x"></form><aside>Related</aside></div>
    <footer>Imprint</footer></body></html>`);
  expect(title).toBe("Help centre");
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Refunds" },
    { kind: "paragraph", text: "You can always ask\nfor one." },
  ]);
});

test("prefers <main>, and keeps the header of an article", () => {
  const { blocks } = parseHtml(
    "<body>before<main><article><header><h1>Title</h1></header><p>Text</p></article></main>after</body>",
  );
  expect(blocks.map((block) => block.kind !== "table" && block.text)).toEqual(["Title", "Text"]);
});

test("keeps the headers and footers of sections, and leaves out those of the page", () => {
  const { blocks } = parseHtml(`<body><header><h2>Shop</h2></header>
    <section><header><h2>Returns in Italy</h2></header><p>Within 14 days.</p></section>
    <div><section><div><header><h3>Returns in Spain</h3></header></div><p>Within 30 days.</p>
    <footer>Valid until May.</footer></section></div><footer><h4>Imprint</h4></footer></body>`);
  expect(blocks.map((block) => block.kind !== "table" && block.text)).toEqual([
    "Returns in Italy",
    "Within 14 days.",
    "Returns in Spain",
    "Within 30 days.",
    "Valid until May.",
  ]);
});

test.each([
  ["the page in main", "Text<footer>© 2024 All rights.</footer>"],
  ["the page in a part of main", "Text<div><footer>© 2024 All rights.</footer></div>"],
  ["an article with links", "<article><h3>Text</h3><footer>Share on <a>Twitter</a>.</footer></article>"],
  ["an article with buttons", "<article><h3>Text</h3><footer><button>Cookie settings</button> All</footer></article>"],
  ["a section without a heading", "<section>Text<footer>© 2024</footer></section>"],
  ["the page in a section", "<section><header>Logo Menu Login</header>Text</section>"],
  ["the page with a menu", "<section><header><h4>Shop</h4><nav>Menu</nav> Login</header>Text</section>"],
])("leaves out the header and footer of %s", (_, html) => {
  const { blocks } = parseHtml(`<main><header><h2>Returns</h2></header>${html}</main>`);
  expect(blocks.map((block) => block.kind !== "table" && block.text)).toEqual(["Returns", "Text"]);
});

test("reads a page inside one form", () => {
  expect(parseHtml("<form><p>Everything is in here.</p></form>").blocks).toHaveLength(1);
});

test("lists keep their numbers and levels, and definitions keep their terms", () => {
  const { blocks } = parseHtml(
    `<ol start=3><li>Three<ul><li>inner</li></ul></li><li>Four</li><li value=7>Seven</li><li value=x>Eight</li></ol>
    <dl><dt>SLA</dt><dd>Service level</dd><dd>Agreed in writing</dd><dt>QoS</dt><dt>Quality</dt><dd>Speed</dd><dt>End</dt></dl>`,
  );
  expect(blocks).toEqual([
    { kind: "list", text: "3. Three\n  - inner\n4. Four\n7. Seven\n8. Eight" },
    { kind: "list", text: "- SLA: Service level\n- SLA: Agreed in writing\n- QoS, Quality: Speed\n- End" },
  ]);
});

test.each([
  ["10<sup>6</sup> and 10<sup>-3</sup>", "10^6 and 10^-3"],
  ["€49<sup>99</sup> a month", "€49.99 a month"],
  ["€1.049<sup>99</sup>, <b>$</b>1,049<sup><small>50</small></sup>", "€1.049,99, $1,049.50"],
  ["49<sup>99</sup> €, 49<sup>90</sup><span>€</span>", "49.99 €, 49.90€"],
  [
    "49<sup>90</sup> EUR, CHF 49<sup>90</sup>, EUR5<sup>90</sup>, 49<sup>90</sup> EURO",
    "49.90 EUR, CHF 49.90, EUR5.90, 49^90 EURO",
  ],
  ["1<sup>1</sup>/<sub>2</sub> cups, 10<sup>6</sup>/2", "1 1/2 cups, 10^6/2"],
  ["€49.90<sup>12</sup>", "€49.90^12"],
  ["€49<sup>1</sup> a month", "€49^1 a month"],
  [
    '€49<sup><a href="#n1">12</a></sup>, 30<a href="#n2"><sup>2</sup></a> days<sup><a href="#n3">[3]</a></sup>.',
    "€49 [12], 30 [2] days [3].",
  ],
  [
    "Returns are free.<sup><a>[1]</a></sup> Within 30<sup><a>2</a></sup><sup><a>3</a></sup> days!<sup><a>4</a></sup> OK?",
    "Returns are free.[1] Within 30 [2][3] days![4] OK?",
  ],
  ["m<sup>2</sup>, 1<sup>st</sup>, <span>49</span><sup>*</sup>, Box<sup hidden>9</sup>5", "m2, 1st, 49*, Box5"],
])("keeps the superscripts of %s apart from numbers", (html, text) => {
  expect(parseHtml(`<p>Costs 5</p><p>${html}</p>`).blocks).toEqual([
    { kind: "paragraph", text: "Costs 5" },
    { kind: "paragraph", text },
  ]);
  const cell = parseHtml(`<table><tr><td>a</td><td>${html}</td></tr></table>`).blocks;
  expect(cell).toEqual([{ kind: "table", header: [], rows: [["a", text]] }]);
});

test("leaves out a hidden list inside a list", () => {
  const { blocks } = parseHtml(
    "<ul><li>One<ul hidden><li>secret</li></ul><div style='display:none'><ol><li>secret</li></ol></div></li></ul>",
  );
  expect(blocks).toEqual([{ kind: "list", text: "- One" }]);
});

test("reads a list around headings as layout", () => {
  const { blocks } = parseHtml("<ol><li><h4>One</h4><p>Text of one</p></li><li><h4>Two</h4></li></ol>");
  expect(blocks.map(({ kind }) => kind)).toEqual(["heading", "paragraph", "heading"]);
});

test("merges header rows of tables, repeats spanning cells and ignores layout tables", () => {
  const { blocks } = parseHtml(`<table><caption>Plans</caption>
    <thead><tr><th rowspan=2>Plan</th><th colspan=2>Price</th></tr><tr><th>month</th><th>year</th></tr></thead>
    <tr><td rowspan=2>Basic</td><td>10</td><td>100</td></tr><tr><td>11</td><td>110</td></tr></table>
    <table><tr><td><h2>Layout</h2></td></tr></table>`);
  expect(blocks).toEqual([
    { kind: "paragraph", text: "Plans" },
    {
      kind: "table",
      header: ["Plan", "Price month", "Price year"],
      rows: [
        ["Basic", "10", "100"],
        ["Basic", "11", "110"],
      ],
    },
    { kind: "heading", level: 2, text: "Layout" },
  ]);
});

test("code keeps its lines", () => {
  expect(parseHtml("<pre><code>a {\n  b\n}</code></pre>").blocks).toEqual([{ kind: "code", text: "a {\n  b\n}" }]);
});

test("reads the lines of code, without hidden parts and scripts", () => {
  const { blocks } = parseHtml(
    "<pre>line 1<br>line 2<button>Copy</button><span hidden>secret</span><script>x()</script>\nline 3</pre>",
  );
  expect(blocks).toEqual([{ kind: "code", text: "line 1\nline 2\nline 3" }]);
});

test("reads a button that holds a whole heading or term, and no other", () => {
  const { blocks } =
    parseHtml(`<h2><button>How do I <b>cancel</b>?<svg><title>open</title></svg></button></h2><p>By letter.</p>
    <h2>Prices <button>Copy link</button></h2><button>Buy</button>
    <details><summary><button>Can I pay later?</button></summary>Yes.</details>
    <dl><dt><button>Delivery</button></dt><dd>Two days<button>Buy</button></dd></dl>
    <dl><dt><button>Returns</button></dt><dd><h3>By post</h3></dd></dl>`);
  expect(blocks).toEqual([
    { kind: "heading", level: 2, text: "How do I cancel?" },
    { kind: "paragraph", text: "By letter." },
    { kind: "heading", level: 2, text: "Prices" },
    { kind: "paragraph", text: "Can I pay later?" },
    { kind: "paragraph", text: "Yes." },
    { kind: "list", text: "- Delivery: Two days" },
    { kind: "paragraph", text: "Returns" },
    { kind: "heading", level: 3, text: "By post" },
  ]);
});

test("a hostile column span does not fill the memory", () => {
  const { blocks } = parseHtml('<table><tr><td colspan="99999999" rowspan="99999999">a</td><td>b</td></tr></table>');
  expect(JSON.stringify(blocks).length).toBeLessThan(5_000);
});

const textOf = (html: string) =>
  parseHtml(html).blocks.map((block) => (block.kind === "table" ? block.rows : block.text));

test.each([
  ["<s>€49</s> €39", "€39"],
  ["<del><b>€49</b></del> <ins>€39</ins>", "€39"],
  ["<strike>€49</strike> €39", "€39"],
  ['<span style="color:red;text-decoration: underline line-through">€49</span> €39', "€39"],
  ['<span style="text-decoration-line:line-through">€49</span> €39', "€39"],
  ["Now<s> €49 </s>€39", "Now €39"],
  ["<p><s>Free.</s></p>Now €39", "Now €39"],
])("leaves out the struck-out text of %s, and says so", (html, text) => {
  expect(parseHtml(html)).toMatchObject({
    blocks: [{ kind: "paragraph", text }],
    notice: expect.stringContaining("Struck-out text was left out."),
  });
});

test.each([
  ["a page of nothing else", "<nav>Home</nav><h1>Tasks</h1><p><s>Pay.</s></p>", ["Tasks", "Pay."]],
  ["a heading", "<p>Before.</p><h2><s>Old plan</s></h2><p>€49</p>", ["Before.", "Old plan", "€49"]],
  ["a term", "<dl><dt><s>Basic</s></dt><dd>€49</dd></dl>", ["- Basic: €49"]],
  ["an item with others below", "<ul><li>A<li><s>B</s><ul><li>b</li></ul></ul>", ["- A\n- B\n  - b"]],
  ["other decoration", '<p style="text-decoration:underline">€49 <s hidden>€59</s><s> </s></p>', ["€49"]],
])("keeps the text of %s", (_, html, texts) => {
  expect(textOf(html)).toEqual(texts);
  expect(parseHtml(html).notice).toBeUndefined();
});

test("keeps the place of struck-out cells and the names of columns", () => {
  const { blocks } = parseHtml(
    "<table><tr><th>Plan<th><s>Old</s></tr><tr><td>A<td><s>€49</s></tr><tr><td>B<td>€5<s>9</s></tr></table>",
  );
  expect(blocks).toEqual([
    {
      kind: "table",
      header: ["Plan", "Old"],
      rows: [
        ["A", ""],
        ["B", "€5"],
      ],
    },
  ]);
});
