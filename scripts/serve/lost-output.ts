/**
 * Keeps this process running when the reader of its output is gone. Otherwise each line would cause an uncaught error,
 * and reporting that error would write another line.
 */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
