/** Serves the API in a process of its own, which a test can kill. Sends its address to the test. */
import { registerHooks } from "node:module";

const ROOT = new URL("../../", import.meta.url);

// routes import from the root, as the framework allows
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.startsWith("@/") ? new URL(specifier.slice(2), ROOT).href : specifier, context),
});
const { startApiServer } = await import("./api-server.ts");
const web = await startApiServer();
process.send?.(web.address());
process.once("disconnect", () => process.exit());
