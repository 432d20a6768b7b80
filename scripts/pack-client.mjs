// `node scripts/pack-client.mjs [folder]`: compiles lib/client and packs it as a tarball for `npm install` or `npm publish`.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const destination = resolve(process.argv[2] ?? ".");
const staging = mkdtempSync(join(tmpdir(), "ragstone-client-"));
process.on("exit", () => rmSync(staging, { recursive: true, force: true }));

const dist = join(staging, "dist");
execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "lib/client", "--outDir", dist], {
  cwd: root,
  stdio: "inherit",
});
chmodSync(join(dist, "cli/bin.js"), 0o755);
for (const name of ["package.json", "README.md"]) copyFileSync(join(root, "lib/client", name), join(staging, name));
copyFileSync(join(root, "LICENSE"), join(staging, "LICENSE"));
mkdirSync(destination, { recursive: true });
const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", destination], {
  cwd: staging,
  encoding: "utf8",
});
console.log(join(destination, JSON.parse(packed)[0].filename));
