/**
 * Lets this process go on, or end in its own way, when nobody reads its output any more. Without it each line is an error
 * that nobody catches, and whoever reports such errors writes another line.
 */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
