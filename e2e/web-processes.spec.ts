import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ragstoneOn } from "./fixtures.ts";
import { expect, NOBODY, test } from "./people.ts";
import { type NewServer, startNewServer } from "./server.ts";

const PROCESSES = 3;
const LIMIT = 20;
let server: NewServer;
let folder: string;

test.use({ storageState: NOBODY });

test.beforeAll(async () => {
  test.setTimeout(300_000);
  folder = mkdtempSync(join(tmpdir(), "ragstone-web-processes-"));
  server = await startNewServer(join(folder, "data"), {
    WEB_PROCESSES: String(PROCESSES),
    RATE_LIMIT_PER_MINUTE: String(LIMIT),
  });
});

test.afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The web processes of this test's server, found by their script and data folder. */
function webProcesses(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isWebProcess(pid));
}

function isWebProcess(pid: number): boolean {
  try {
    const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, "utf8");
    return read("cmdline").includes("scripts/serve/web.ts") && read("environ").includes(folder);
  } catch {
    return false;
  }
}

/** Longer than a minute, because a new minute allows requests again. */
const LONG_WAIT = { timeout: 120_000 };

test("several processes answer on one port, count rate limits together, and are replaced when they die", async () => {
  const operator = (...args: string[]) => ragstoneOn(join(folder, "data"), ...args);
  const company = Object(await operator("company", "create", "--name", "Basalt Works"));
  const { token } = Object(await operator("key", "create", "--company", company.id, "--name", "Bot"));
  const ask = () =>
    fetch(`${server.url}/v1/api/status`, { headers: { Authorization: `Bearer ${token}`, Connection: "close" } });
  const statuses = await Promise.all(Array.from({ length: 2 * LIMIT }, async () => (await ask()).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);

  const before = webProcesses();
  expect(before).toHaveLength(PROCESSES);
  process.kill(Number(before[0]), "SIGKILL");
  await expect.poll(() => webProcesses().filter((pid) => !before.includes(pid)).length, LONG_WAIT).toBe(1);
  // the new process answers 503 until it has loaded the application
  await expect
    .poll(async () => {
      const answers = await Promise.all(Array.from({ length: 3 * PROCESSES }, ask));
      return new Set(answers.map(({ status }) => status));
    }, LONG_WAIT)
    .toEqual(new Set([429]));
});
