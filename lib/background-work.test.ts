import { execFileSync } from "node:child_process";
import { availableParallelism, getPriority } from "node:os";
import { expect, test } from "vitest";
import { z } from "zod";

const script = `
  const { readdirSync, readFileSync } = await import("node:fs");
  const { getPriority } = await import("node:os");
  const { setBackgroundMode } = await import(${urlOf("./background-work.ts")});
  const { createLocalEmbeddingModel } = await import(${urlOf("./ai/local/embedding-model.ts")});
  const { bundledModelDir } = await import(${urlOf("./ai/local/bundled-model.ts")});
  const { takeParser } = await import(${urlOf("./knowledge/parse/child-processes.ts")});
  if (process.argv[1] === "background") setBackgroundMode();
  const model = createLocalEmbeddingModel({ modelDir: bundledModelDir() });
  await model.doEmbed({ values: new Array(50).fill("A text that is ingested. ".repeat(20)) });
  const { child } = takeParser();
  // Node 24 names its worker threads so, and ONNX Runtime's take the name of the thread that starts them
  const isEmbedding = (id) => readFileSync("/proc/self/task/" + id + "/comm", "utf8").trim() === "WorkerThread";
  const embedding = readdirSync("/proc/self/task").filter(isEmbedding).map((id) => getPriority(Number(id)));
  console.log(JSON.stringify({ main: getPriority(), embedding, reader: getPriority(child.pid) }));
  child.kill("SIGKILL");
  process.exit(0);`;

function urlOf(module: string): string {
  return JSON.stringify(new URL(module, import.meta.url).href);
}

const priorities = z.object({ main: z.number(), embedding: z.array(z.number()).min(1), reader: z.number() });

function prioritiesOf(process_: "background" | "foreground") {
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script, process_], { encoding: "utf8" });
  return priorities.parse(JSON.parse(output));
}

// other systems have no priorities of threads, and 19 cannot be lowered
test.runIf(process.platform === "linux" && getPriority() < 19)(
  "the model and the readers of the worker yield to the server",
  () => {
    const main = getPriority();
    const { embedding, ...others } = prioritiesOf("background");
    expect(others).toEqual({ main, reader: Math.min(19, main + 5) });
    expect(embedding).toEqual(embedding.map(() => Math.min(19, main + 10)));
    const foreground = prioritiesOf("foreground");
    expect(foreground).toEqual({ main, embedding: foreground.embedding.map(() => main), reader: main });
    // only texts in the background use a second core, which leaves the first to questions
    expect(embedding.length > foreground.embedding.length).toBe(availableParallelism() > 1);
  },
);
