import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { ConnectionError, RagstoneError } from "../errors.ts";

/** A file could not be read to its end. Other files can still be sent. */
export class UnreadableFileError extends RagstoneError {
  override name = "UnreadableFileError";
}

interface OpenFile {
  blob: Blob;
  /** Changes with the file. */
  state: string;
}

/**
 * Opens a file and sends it. A blob ends with an error when its file changes, so a changed file is opened and sent once
 * more.
 * @throws {UnreadableFileError} when the file is gone, or changes again; the error of `send`
 */
export async function sendOpened<Sent>(path: string, send: (file: Blob) => Promise<Sent>): Promise<Sent> {
  const first = await open(path);
  try {
    return await send(first.blob);
  } catch (error) {
    const second = await reopenIfChanged(path, first, error);
    return send(second.blob).catch(async (again) => {
      await reopenIfChanged(path, second, again);
      throw new UnreadableFileError("The file changed while it was sent. Repeat the command to send it.");
    });
  }
}

/** @throws {UnreadableFileError}; the given error unless the change of the file explains it */
async function reopenIfChanged(path: string, sent: OpenFile, error: unknown): Promise<OpenFile> {
  if (!(error instanceof ConnectionError)) throw error;
  const now = await open(path);
  if (now.state === sent.state) throw error;
  return now;
}

/** @throws {UnreadableFileError} */
async function open(path: string): Promise<OpenFile> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { blob: await openAsBlob(path), state: `${size} ${mtimeMs}` };
  } catch (error) {
    throw new UnreadableFileError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
