import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

export interface SmtpServer {
  url: string;
  /** Received mails, with headers and body. */
  mails: { to: string; text: string }[];
  /** Whether it refuses mails, false at first. */
  refuses: boolean;
  close(): void;
}

/** Starts a local mail server that accepts all mail, until a test lets it refuse some, and delivers none. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const server = createServer((socket) => void serve(socket, smtp)).listen(0, "127.0.0.1");
  const smtp: SmtpServer = { url: "", mails: [], refuses: false, close: () => void server.close() };
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port is free");
  smtp.url = `smtp://127.0.0.1:${address.port}`;
  return smtp;
}

async function serve(socket: Socket, smtp: SmtpServer): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let mail = { to: "", text: "" };
  let reading = false;
  say("220 test");
  for await (const line of createInterface({ input: socket })) {
    if (reading && line !== ".") mail.text += `${line}\n`;
    else if (reading) {
      reading = false;
      if (!smtp.refuses) smtp.mails.push(mail);
      mail = { to: "", text: "" };
      say(smtp.refuses ? "451 refused" : "250 taken");
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
