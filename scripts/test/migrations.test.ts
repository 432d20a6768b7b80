import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const FOLDER = "drizzle/migrations";

it("every migration that changes rows says why, in a comment or in drizzle/README.md", () => {
  const explained = readFileSync("drizzle/README.md", "utf8");
  const silent = readdirSync(FOLDER)
    .filter((file) => file.endsWith(".sql"))
    .filter((file) => {
      const text = readFileSync(`${FOLDER}/${file}`, "utf8");
      const changesRows = /^\s*(?:update|delete from|insert into) /im.test(text);
      return changesRows && !/^\s*-- /m.test(text) && !explained.includes(file.replace(".sql", ""));
    });
  expect(silent).toEqual([]);
});
