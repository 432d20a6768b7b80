import { execFileSync } from "node:child_process";
import { availableParallelism, getPriority } from "node:os";
import { expect, test } from "vitest";
import { z } from "zod";

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
  const lowered = started.filter((priority) => priority > getPriority());
  console.log(JSON.stringify({ main: getPriority(), lowered, reader: getPriority(child.pid) }));
  child.kill("SIGKILL");
  process.exit(0);`;

function urlOf(module: string): string {
  return JSON.stringify(new URL(module, import.meta.url).href);
}

const priorities = z.object({ main: z.number(), lowered: z.array(z.number()), reader: z.number() });

function prioritiesOf(process_: "background" | "foreground") {
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script, process_], { encoding: "utf8" });
  return priorities.parse(JSON.parse(output));
}

// other systems have no priorities of threads, and 19 cannot be lowered
test.runIf(process.platform === "linux" && getPriority() < 19)(
  "the model and the readers of the worker yield to the server",
  () => {
    const main = getPriority();
    const lower = Math.min(19, main + 5);
    // the thread that embeds and, with several cores, the threads that ONNX Runtime starts in it
    const least = availableParallelism() > 1 ? [lower, lower] : [lower];
    const background = prioritiesOf("background");
    expect(background).toMatchObject({ main, reader: lower });
    expect(background.lowered.slice(0, least.length)).toEqual(least);
    expect(prioritiesOf("foreground")).toEqual({ main, lowered: [], reader: main });
  },
);
