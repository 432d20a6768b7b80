import { execFileSync } from "node:child_process";
import { getPriority } from "node:os";
import { expect, test } from "vitest";

const script = `
  const { execFileSync } = await import("node:child_process");
  const { getPriority } = await import("node:os");
  const { lowerPriority } = await import(${JSON.stringify(new URL("./lower-priority.ts", import.meta.url).href)});
  lowerPriority();
  const child = execFileSync(process.execPath, ["-p", "os.getPriority()"], { encoding: "utf8" });
  console.log(JSON.stringify([getPriority(), Number(child)]));`;

test("a process and the processes that it starts yield to the server", () => {
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  const expected = Math.min(19, getPriority() + 5);
  expect(JSON.parse(output)).toEqual([expected, expected]);
});
