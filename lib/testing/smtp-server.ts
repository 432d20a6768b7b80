import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

export interface SmtpServer {
  url: string;
  /** Received mails, with headers and body. */
  mails: { to: string; text: string }[];
  close(): void;
}

/** Starts a local mail server that accepts all mail and delivers none. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: SmtpServer["mails"] = [];
  const server = createServer((socket) => void serve(socket, mails)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return { url: `smtp://127.0.0.1:${address.port}`, mails, close: () => void server.close() };
}

async function serve(socket: Socket, mails: SmtpServer["mails"]): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let mail = { to: "", text: "" };
  let reading = false;
  say("220 test");
  for await (const line of createInterface({ input: socket })) {
    if (reading && line !== ".") mail.text += `${line}\n`;
    else if (reading) {
      reading = false;
      mails.push(mail);
      mail = { to: "", text: "" };
      say("250 taken");
    } else if (/^RCPT TO:/i.test(line)) {
      mail.to = line.match(/<(.*)>/)?.[1] ?? "";
      say("250 ok");
    } else if (/^DATA/i.test(line)) {
      reading = true;
      say("354 go on");
    } else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
    else say("250 ok");
  }
}
