import { expect, test } from "vitest";
import { documentFromEmail } from "./email.ts";
import { parseEml } from "./eml.ts";
import { parseMsg } from "./msg.ts";
import { makeMsg } from "./msg-fixtures.ts";

const MESSAGE = [
  "From: =?UTF-8?Q?Zo=C3=AB?= <zoe@example.com>",
  "To: Ada <ada@example.com>, team: bob@example.com;",
  "Subject: Delivery",
  "Date: Wed, 21 Dec 2022 10:28:53 -0600",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="x"',
  "",
  "--x",
  "Content-Type: text/plain; charset=iso-8859-1",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "The caf=E9 is open.",
  "",
  "On Monday, Ada wrote:",
  "> Is it open?",
  "--x",
  "Content-Type: application/pdf",
  'Content-Disposition: attachment; filename="menu.pdf"',
  "Content-Transfer-Encoding: base64",
  "",
  "JVBERi0=",
  "--x--",
].join("\r\n");

test("reads the header, the body with what it quotes, and the names of the attachments", async () => {
  expect(await parseEml(Buffer.from(MESSAGE))).toMatchObject({
    title: "Delivery",
    blocks: [
      {
        kind: "paragraph",
        text: "Subject: Delivery\nFrom: Zoë <zoe@example.com>\nTo: Ada <ada@example.com>, bob@example.com\nDate: 2022-12-21T16:28:53.000Z\nAttachments: menu.pdf",
      },
      { kind: "paragraph", text: "The café is open." },
      { kind: "paragraph", text: "On Monday, Ada wrote:\n> Is it open?" },
    ],
    metadata: {
      subject: "Delivery",
      from: "Zoë <zoe@example.com>",
      to: "Ada <ada@example.com>, bob@example.com",
      date: "2022-12-21T16:28:53.000Z",
    },
  });
});

test("reads the tables of an HTML message", async () => {
  const html = "<table><tr><th>Plan</th><th>Price</th></tr><tr><td>Basic</td><td><s>12</s> 10</td></tr></table>";
  const { blocks, notice } = await parseEml(Buffer.from(`Subject: Hi\nContent-Type: text/html\n\n${html}`));
  expect(notice).toContain("Struck-out text was left out.");
  expect(blocks[1]).toEqual({ kind: "table", header: ["Plan", "Price"], rows: [["Basic", "10"]] });
});

test("a file beside the images of an HTML message is an attachment", async () => {
  const part = (type: string, id: string, disposition: string) =>
    `--r\nContent-Type: ${type}\nContent-ID: <${id}>\nContent-Disposition: ${disposition}\n\nx\n`;
  const message = [
    'Subject: Hi\nContent-Type: multipart/related; boundary="r"\n\n--r\nContent-Type: text/html\n\n<p>Hi <img src="cid:logo@x"></p>\n',
    part("image/png", "photo@x", "inline; filename=photo.png"),
    part("application/octet-stream", "logo@x", "inline; filename=logo.png"),
    part("application/pdf", "terms@x", "attachment; filename=terms.pdf"),
    "--r--\n",
  ].join("");
  const { attachments } = await parseEml(Buffer.from(message));
  expect(attachments?.map(({ fileName }) => fileName)).toEqual(["terms.pdf"]);
});

test("a message that is nested too deeply is refused in plain words", async () => {
  const parts = Array.from(
    { length: 1_000 },
    (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}\n`,
  );
  await expect(parseEml(Buffer.from(`Subject: Hi\n${parts.join("")}`))).rejects.toThrow("too many parts");
});

test("reads an Outlook message", () => {
  const message = {
    subject: "Delivery",
    senderName: "Zoë",
    senderAddress: "zoe@example.com",
    recipients: [{ name: "Ada", address: "ada@example.com" }],
    body: "Plain",
    attachments: [{ name: "menu.pdf" }],
  };
  const { title, blocks, metadata } = parseMsg(makeMsg(message));
  const header = "Subject: Delivery\nFrom: Zoë <zoe@example.com>\nTo: Ada <ada@example.com>\nAttachments: menu.pdf";
  expect({ title, metadata }).toMatchObject({ title: "Delivery", metadata: { from: "Zoë <zoe@example.com>" } });
  expect(blocks).toEqual([
    { kind: "paragraph", text: header },
    { kind: "paragraph", text: "Plain" },
  ]);
  const html = makeMsg({ ...message, html: "<h1>Café</h1>" });
  const withHtml = parseMsg(Buffer.concat([Buffer.from("before"), html]).subarray(6));
  expect(withHtml.blocks[1]).toEqual({ kind: "heading", level: 1, text: "Café" });
});

test("reads the bytes of an Outlook message's attachments, small and large", () => {
  const small = Buffer.from("The walrus clause ends in May.");
  // from 4,096 bytes on, the file format keeps streams in other sectors
  const large = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) % 251));
  const attachments = [{ name: "terms.txt", bytes: small }, { name: "data.bin", bytes: large }, { name: "link.docx" }];
  const document = parseMsg(makeMsg({ subject: "Terms", body: "See the terms.", attachments }));
  expect(document.attachments?.map(({ fileName }) => fileName)).toEqual(["terms.txt", "data.bin", "link.docx"]);
  expect(document.attachments?.map(({ bytes }) => Buffer.from(bytes).equals(small))).toEqual([true, false, false]);
  expect(Buffer.from(document.attachments?.[1]?.bytes ?? []).equals(large)).toBe(true);
  expect(document.attachments?.[2]?.bytes).toHaveLength(0);
});

test("attachments get names that can be stored and that differ", () => {
  const namesOf = (...names: string[]) => {
    const attachments = names.map((fileName) => ({ fileName, bytes: Buffer.from("x") }));
    const email = { subject: "", from: "", to: "", cc: "", date: "", html: "", text: "", attachments };
    return documentFromEmail(email).attachments?.map(({ fileName }) => fileName);
  };
  expect(namesOf("a\0b.pdf", "cut \ud800.pdf")).toEqual(["a\ufffdb.pdf", "cut \ufffd.pdf"]);
  expect(namesOf("a/b.pdf", "a_b.pdf", "a  b.pdf", "a b.pdf")).toEqual([
    "a_b.pdf",
    "2 a_b.pdf",
    "a b.pdf",
    "4 a b.pdf",
  ]);
  expect(namesOf("3 a.pdf", "a.pdf", "a.pdf", "/", "")).toEqual(["3 a.pdf", "a.pdf", "4 a.pdf", "_", "5"]);
});

test("a cut-off Outlook message is refused", () => {
  expect(() => parseMsg(makeMsg({ subject: "Delivery" }).subarray(0, 700))).toThrow();
});
