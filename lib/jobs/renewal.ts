/** How often a worker announces that it runs. */
export const RENEW_EVERY_MS = 5_000;
