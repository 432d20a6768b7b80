import { connect } from "node:net";

/** Sends raw bytes to a server, and returns all that it sends until it closes the connection. */
export async function sendRaw(address: string, bytes: string): Promise<{ head: string; body: string }> {
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  socket.write(bytes);
  let text = "";
  for await (const chunk of socket) text += chunk;
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { head, body };
}
