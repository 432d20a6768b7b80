import { appendFileSync, existsSync, readFileSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { variable } from "./fixtures.ts";

/** The axe rules for WCAG 2.2 AA. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const SCRIPT_BYTES_MAX = 220_000;
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
/** A theme changes only colours, so each width is checked fully in one theme, and for contrast in the other. */
const VARIANTS: { size: typeof WIDE; colorScheme: "light" | "dark"; rules?: string[] }[] = [
  { size: WIDE, colorScheme: "light" },
  { size: WIDE, colorScheme: "dark", rules: ["color-contrast"] },
  { size: NARROW, colorScheme: "dark" },
  { size: NARROW, colorScheme: "light", rules: ["color-contrast"] },
];

interface Measured {
  path: string;
  scriptBytes: number;
  scripts: number;
  serverMs: number;
}

interface InspectOptions {
  /** Expected status of the response; 200 by default. */
  status?: number;
  /** Waits until the page has loaded completely. */
  ready?: (page: Page) => Promise<unknown>;
}

/**
 * Visits a page and checks what must be true of every page: status, title, heading, no console errors, script size
 * within the budget and, in both themes and widths, no accessibility violations and no horizontal scrolling.
 */
export async function inspect(page: Page, url: string, { status = 200, ready }: InspectOptions = {}): Promise<void> {
  const errors = listen(page);
  const loaded = await load(page, url, status);
  appendFileSync(variable("E2E_PAGES"), `${JSON.stringify(loaded)}\n`);
  expect(loaded.scriptBytes, `Compressed bytes of the scripts of ${loaded.path}`).toBeLessThan(SCRIPT_BYTES_MAX);
  await ready?.(page);
  await expect(page).toHaveTitle(/^\S.* · Ragstone$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  for (const { size, colorScheme, rules } of VARIANTS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await test.step(`${size.width} ${colorScheme}`, () => checkLook(page, rules));
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light" });
  expect(errors(status)).toEqual([]);
}

/** A table of the measurements, one line per page, largest first. */
export function pageTable(): string {
  const file = variable("E2E_PAGES");
  const pages: Measured[] = existsSync(file)
    ? readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  const lines = pages
    .toSorted((a, b) => b.scriptBytes - a.scriptBytes)
    .map(({ path, scriptBytes, scripts, serverMs }) =>
      [
        path.padEnd(44),
        `${(scriptBytes / 1000).toFixed(1)} kB`.padStart(10),
        String(scripts).padStart(7),
        `${Math.round(serverMs)} ms`.padStart(8),
      ].join("  "),
    );
  return [
    `${"page".padEnd(44)}  ${"scripts".padStart(10)}  ${"files".padStart(7)}  ${"server".padStart(8)}`,
    ...lines,
  ].join("\n");
}

/** Loads a page with an empty cache, and measures the compressed scripts, including those prefetched for links. */
async function load(page: Page, url: string, status: number): Promise<Measured> {
  const devtools = await page.context().newCDPSession(page);
  const scripts = new Set<string>();
  let scriptBytes = 0;
  devtools.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Script") scripts.add(requestId);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scriptBytes += encodedDataLength;
  });
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  const response = await page.goto(url, { waitUntil: "networkidle" });
  expect(response?.status()).toBe(status);
  const { requestStart = 0, responseEnd = 0 } = response?.request().timing() ?? {};
  await devtools.detach();
  const { pathname, search } = new URL(page.url());
  return { path: pathname + search, scriptBytes, scripts: scripts.size, serverMs: responseEnd - requestStart };
}

/** Checks the page in its current state: no accessibility violations, no horizontal scrolling. */
export async function checkLook(page: Page, rules?: string[]): Promise<void> {
  const { width = 0 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  // a page adapts to a new width only after its next frame, and the first analysis may come before React has taken over;
  // on a busy machine, an analysis of the largest page takes half a minute
  await expect.poll(() => violationsOn(page, rules), { timeout: 90_000 }).toEqual([]);
}

async function violationsOn(page: Page, rules?: string[]) {
  // no page has frames, for which the other mode would open a second page
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await (rules ? axe.withRules(rules) : axe.withTags(TAGS)).analyze();
  return violations.map(({ id, nodes }) => ({
    id,
    at: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
  }));
}

/** Collects console errors. Chromium also logs the expected error status of a page, which is left out. */
function listen(page: Page): (status: number) => string[] {
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", ({ message }) => errors.push(message));
  return (status) => errors.filter((text) => status < 400 || !text.includes(`status of ${status}`));
}
