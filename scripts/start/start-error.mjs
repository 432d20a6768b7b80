/** A problem whose message tells the operator what to do; shown without a stack. */
export class StartError extends Error {
  name = "StartError";
}
