import type { z } from "zod";

/** For `z.preprocess`: refuses an object with more entries before they are checked, which would take long. */
export function refuseMany<Given>(max: number, message: string): (given: Given, context: z.RefinementCtx) => Given {
  return (given, context) => {
    const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
    if (isObject && Object.keys(given).length > max) context.addIssue({ code: "custom", message });
    return given;
  };
}
