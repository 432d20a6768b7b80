import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

const manifest = z
  .object({ engines: z.object({ node: z.string() }), optionalDependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

it("names the same versions of Node in package.json, the README and the scripts", () => {
  const pinned = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith("node-linux-"));
  expect(new Set(pinned.map(([, version]) => version)).size).toBe(1);
  const runs = Number.parseInt(pinned[0]?.[1] ?? "", 10);
  const starts = Number.parseInt(manifest.engines.node.replace(">=", ""), 10);
  const readme = readFileSync("README.md", "utf8");
  expect(readme).toContain(`Node ${starts} or newer`);
  expect(new Set([...readme.matchAll(/\bNode (\d+)\b(?! or newer)/g)].map(([, major]) => Number(major)))).toEqual(
    new Set([runs]),
  );
  for (const file of ["start/start.mjs", "start/run.mjs", "start/install.mjs", "test/test.mjs"]) {
    expect(readFileSync(`scripts/${file}`, "utf8")).toContain(`Node ${starts} and newer`);
  }
});
