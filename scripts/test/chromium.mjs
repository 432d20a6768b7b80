import { existsSync } from "node:fs";

/** Debian's builds of Chromium. The headless shell needs a quarter less CPU time for the same tests. */
const BUILDS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** Path of the Chromium that the browser tests use, or undefined if none is installed. */
export function chromiumPath() {
  return BUILDS.find(existsSync);
}
