/** Answers requests, as one of several children of the server that share its port. */
import { env } from "../../lib/env.ts";
import { explain } from "./explain-error.ts";
import { ignoreLostOutput } from "./lost-output.ts";
import { REQUESTS_GRACE_MS } from "./supervise.ts";
import { LOADED, OPEN } from "./web-processes.ts";
import { webServer } from "./web-server.ts";

async function answerRequests(): Promise<void> {
  const web = await webServer(env(), false);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await web.close(REQUESTS_GRACE_MS);
    const { disconnectDatabase } = await import("./application.ts");
    await disconnectDatabase();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(signal, () => void stop());
  const opened = untilOpened();
  await web.load();
  process.send?.(LOADED);
  await opened;
  web.open();
}

function untilOpened(): Promise<void> {
  return new Promise((resolve) => {
    process.on("message", (message) => message === OPEN && resolve());
  });
}

ignoreLostOutput();
try {
  await answerRequests();
} catch (error) {
  console.error(`A web process cannot run: ${explain(error)}`);
  process.exit(1);
}
