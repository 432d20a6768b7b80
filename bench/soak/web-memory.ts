import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { sampleProcesses } from "./process-samples.ts";
import type { Product } from "./product.ts";

/** Lets each process choose a free port when a signal starts its inspector. */
export const INSPECTABLE = { NODE_OPTIONS: "--inspect-port=127.0.0.1:0" };

interface WebMemory {
  /** Megabytes after a garbage collection: resident, and of the JavaScript heap. */
  resident: number;
  heap: number;
}

/** Finds the inspector's address in the output of the product. */
export class InspectorAddress {
  #said = "";

  readonly listen = (text: string): void => {
    this.#said += text;
  };

  async of(pid: number): Promise<string> {
    process.kill(pid, "SIGUSR1");
    for (let left = 100; left > 0; left--) {
      const found = /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(this.#said);
      if (found) return found[0];
      await setTimeout(100);
    }
    throw new Error("The inspector of the web server did not start");
  }
}

/** Runs the web server's garbage collection, waits until its memory is stable, and measures it. */
export async function settledMemory(product: Product, address: string): Promise<WebMemory> {
  const socket = new WebSocket(address);
  await once(socket, "open");
  const call = async (id: number, method: string, params = {}): Promise<unknown> => {
    socket.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const [message] = await once(socket, "message");
      const answer = JSON.parse(String(Object(message).data));
      if (answer.id === id) return answer.result;
    }
  };
  let resident = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round++) {
    await call(1, "HeapProfiler.collectGarbage");
    await setTimeout(1_500);
    const now = sampleProcesses(product.pids()).web?.megabytes ?? 0;
    if (resident - now < 1 && round > 1) break;
    resident = now;
  }
  const used = await call(2, "Runtime.getHeapUsage");
  socket.close();
  return { resident, heap: Number(Object(used).usedSize) / 1024 / 1024 };
}
