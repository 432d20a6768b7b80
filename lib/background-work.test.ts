import { execFileSync } from "node:child_process";
import { getPriority } from "node:os";
import { expect, test } from "vitest";

const script = `
  const { readdirSync } = await import("node:fs");
  const { getPriority } = await import("node:os");
  const { computeInBackground } = await import(${urlOf("./background-work.ts")});
  const { createLocalEmbeddingModel } = await import(${urlOf("./ai/local/embedding-model.ts")});
  const { bundledModelDir } = await import(${urlOf("./ai/local/model-folder.ts")});
  const { takeParser } = await import(${urlOf("./knowledge/parse/child-processes.ts")});
  const tasks = () => readdirSync("/proc/self/task");
  if (process.argv[1] === "background") computeInBackground();
  const others = new Set(tasks());
  await createLocalEmbeddingModel({ modelDir: bundledModelDir() }).describe();
  const { child } = takeParser();
  const started = tasks().filter((id) => !others.has(id)).map((id) => getPriority(Number(id)));
  console.log(JSON.stringify({ main: getPriority(), model: Math.max(...started), reader: getPriority(child.pid) }));
  child.kill("SIGKILL");
  process.exit(0);`;

function urlOf(module: string): string {
  return JSON.stringify(new URL(module, import.meta.url).href);
}

function prioritiesOf(process_: "background" | "foreground"): unknown {
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script, process_], { encoding: "utf8" });
  return JSON.parse(output);
}

// other systems have no priorities of threads
test.runIf(process.platform === "linux")("the model and the readers of the worker yield to the server", () => {
  const main = getPriority();
  const lower = Math.min(19, main + 5);
  expect(prioritiesOf("background")).toEqual({ main, model: lower, reader: lower });
  expect(prioritiesOf("foreground")).toEqual({ main, model: main, reader: main });
});
