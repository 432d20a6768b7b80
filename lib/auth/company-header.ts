/** Which company the page shows. No form of another site can send it, so a request that changes something must. Pure. */
export const COMPANY_HEADER = "x-ragstone-company";
