import { createTransport } from "nodemailer";
import { env } from "./env.ts";

interface Mail {
  to: string;
  subject: string;
  text: string;
}

const TIMEOUT_MS = 10_000;

/** Whether sending mail is configured. */
export function isMailConfigured(): boolean {
  return env().smtp !== null;
}

/** Sends plain text by `SMTP_URL`. Rejects when the server does not accept it. */
export async function sendMail(mail: Mail): Promise<void> {
  const { smtp } = env();
  if (!smtp) throw new Error("SMTP_URL is not set");
  const transport = createTransport({
    url: smtp.url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await transport.sendMail({ from: smtp.from, ...mail });
  } finally {
    transport.close();
  }
}
