import { NodeFS } from "@electric-sql/pglite/nodefs";

type Init = NodeFS["init"];
const GROUP_AND_OTHERS = 0o077;

/**
 * The engine's files in a folder, readable only by their owner. The engine sets the mode of each new file itself, so
 * the umask of the process has no effect.
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
    setattr(node, mode === undefined ? change : { ...change, mode: mode & ~GROUP_AND_OTHERS });
}
