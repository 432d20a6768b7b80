import { burn } from "@kenjiuno/msgreader/lib/Burner.js";

/** Small generated Outlook messages for parser tests. */

interface MsgFixture {
  subject?: string;
  senderName?: string;
  senderAddress?: string;
  recipients?: { name: string; address: string }[];
  body?: string;
  html?: string;
  /** Without bytes: a link to a file elsewhere. */
  attachments?: { name: string; bytes?: Buffer }[];
}

const ROOT = 5;
const FOLDER = 1;
const STREAM = 2;

/** Names of streams have the property's number and its type: 001F is text, 0102 is bytes. */
export function makeMsg(message: MsgFixture): Buffer {
  const entries: Parameters<typeof burn>[0] = [];
  const add = (name: string, type: number, data: Buffer = Buffer.alloc(0)): number =>
    entries.push({ name, type, length: data.length, binaryProvider: () => new Uint8Array(data), children: [] }) - 1;
  const texts = (streams: Record<string, string>) =>
    Object.entries(streams).map(([tag, text]) => add(`__substg1.0_${tag}001F`, STREAM, Buffer.from(text, "utf16le")));
  const folder = (name: string, properties: number, streams: Record<string, string>, data?: Buffer) => {
    const place = add(name, FOLDER);
    const content = data ? [add("__substg1.0_37010102", STREAM, data)] : [];
    const children = [add("__properties_version1.0", STREAM, Buffer.alloc(properties)), ...texts(streams), ...content];
    Object.assign(entries[place] ?? {}, { children });
    return place;
  };
  const root = add("Root Entry", ROOT);
  const children = [
    add("__properties_version1.0", STREAM, Buffer.alloc(32)),
    ...texts({
      "0037": message.subject ?? "",
      "1000": message.body ?? "",
      "0C1A": message.senderName ?? "",
      "5D01": message.senderAddress ?? "",
    }),
    ...(message.html ? [add("__substg1.0_10130102", STREAM, Buffer.from(message.html))] : []),
    ...(message.recipients ?? []).map(({ name, address }, index) =>
      folder(`__recip_version1.0_#${String(index).padStart(8, "0")}`, 8, { "3001": name, "39FE": address }),
    ),
    ...(message.attachments ?? []).map(({ name, bytes }, index) =>
      folder(`__attach_version1.0_#${String(index).padStart(8, "0")}`, 8, { "3707": name }, bytes),
    ),
  ];
  Object.assign(entries[root] ?? {}, { children });
  return Buffer.from(burn(entries));
}
