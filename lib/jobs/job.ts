import type { JOB_LANES, jobs } from "../db/schema/index.ts";

/** A job as its worker holds it. */
export type Job = typeof jobs.$inferSelect & { leaseToken: string };
export type Lane = (typeof JOB_LANES)[number];

/** Jobs of one kind and one company, held under one lease. */
export interface Claim {
  token: string;
  lane: Lane;
  kind: Job["kind"];
  companyId: string;
  jobs: Job[];
}
