/** Which company the page shows. No form of another site can send it, so a request that changes something must. Pure. */
export const COMPANY_HEADER = "x-ragstone-company";

/** The same in the address of a download, which is of that company whatever the session has moved on to. */
export const COMPANY_PARAM = "company";
