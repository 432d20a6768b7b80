import { enableCompileCache, registerHooks } from "node:module";

/** For `node --import`: speeds up the start of our processes. */
enableCompileCache(new URL("../../node_modules/.cache/ragstone/compile", import.meta.url).pathname);

/**
 * To find out their format, Node copies Drizzle's package.json of 180 kB for each of its hundred modules. This hook
 * avoids that, and saves most of a second of CPU time per start.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL } = context;
    if (!specifier.startsWith(".") || !parentURL?.match(/\/node_modules\/drizzle-orm\/.*\.js$/)) {
      return nextResolve(specifier, context);
    }
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
});
