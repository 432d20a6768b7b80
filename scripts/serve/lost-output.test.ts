import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";

const module = new URL("./lost-output.ts", import.meta.url).href;

/** Reports uncaught errors, as Next.js does. The exit code is their number. */
const reporter = `
  let uncaught = 0;
  process.on("uncaughtException", (error) => { uncaught++; console.error(error); });
  process.stdin.once("data", () => setTimeout(() => process.exit(Math.min(uncaught, 100)), 300));
  process.stdout.write("ready");
  const timer = setInterval(() => { console.log("line"); console.error("line"); }, 10);
`;

test("a process whose output has no reader reports no errors and can exit", async () => {
  const script = `import { ignoreLostOutput } from ${JSON.stringify(module)}; ignoreLostOutput(); ${reporter}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "pipe" });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  child.stdout.destroy();
  child.stderr.destroy();
  child.stdin.end("go");
  expect(await ended).toEqual([0, null]);
});
