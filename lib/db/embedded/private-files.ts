import { NodeFS } from "@electric-sql/pglite/nodefs";

type Init = NodeFS["init"];
const OTHERS = 0o077;

/**
 * The engine's files in a folder, readable by their owner alone. The engine sets the mode of each file that it makes by
 * itself, so the process's own mask does not reach it.
 */
export class PrivateFiles extends NodeFS {
  override async init(...parameters: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(...parameters);
    const { preRun = [] } = emscriptenOpts;
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [preRun, maskModes].flat() } };
  }
}

interface Engine {
  FS: { filesystems: { NODEFS: { node_ops: { setattr(node: unknown, change: { mode?: number }): void } } } };
}

function maskModes({ FS }: Engine): void {
  const operations = FS.filesystems.NODEFS.node_ops;
  const { setattr } = operations;
  operations.setattr = (node, { mode, ...change }) =>
    setattr(node, mode === undefined ? change : { ...change, mode: mode & ~OTHERS });
}
