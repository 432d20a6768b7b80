import { createLoader, parseAsBoolean } from "nuqs/server";

/** Whether to list the resolved reports instead of the open ones. */
export const loadReportParams = createLoader({ resolved: parseAsBoolean.withDefault(false) });
