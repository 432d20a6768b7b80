// `npm start` and `npm run dev`: installs and builds if needed, then runs the server. Runs on Node 20 and newer.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { appEnvironment, appNode, ensureBuilt, ensureInstalled, withStartLock } from "./install.mjs";
import { children, endChildrenWithProcess, root } from "./run.mjs";
import { StartError } from "./start-error.mjs";

const dev = process.argv.includes("--dev");

endChildrenWithProcess();
try {
  await withStartLock(async () => {
    await ensureInstalled();
    if (!dev) await ensureBuilt();
  });
  serve();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(`Ragstone cannot start: ${error.message}`);
  process.exitCode = 1;
}

function serve() {
  const args = ["--import", "./scripts/start/quick-imports.ts", "scripts/serve/serve.ts", ...(dev ? ["--dev"] : [])];
  const env = appEnvironment(dev ? "development" : "production");
  // its own process group, so that it gets Ctrl-C only once; the IPC channel closes when this process is gone
  const server = spawn(appNode(), args, {
    cwd: root,
    env,
    detached: true,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  children.add(server);
  server.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
