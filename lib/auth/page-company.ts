/**
 * Header with the company that the page shows. A form on another site cannot send it, so it is required for every
 * change. Pure.
 */
export const COMPANY_HEADER = "x-ragstone-company";

/** The same as a query parameter of downloads, which stay in that company even when the session switches to another. */
export const COMPANY_PARAM = "company";
