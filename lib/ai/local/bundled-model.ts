import path from "node:path";
import { projectRoot } from "../../project-root.ts";

/** The folder of the model that comes with Ragstone. */
export function bundledModelDir(): string {
  return path.join(projectRoot(), "models", "all-MiniLM-L6-v2");
}
