import type { JOB_LANES, jobs } from "../db/schema/index.ts";

/** A job as the worker that claimed it sees it. */
export type Job = Omit<
  typeof jobs.$inferSelect,
  "state" | "lane" | "runAfter" | "leaseUntil" | "leaseOwner" | "progressTotal" | "lastError" | "finishedAt"
> & { leaseToken: string };
export type Lane = (typeof JOB_LANES)[number];

/** Jobs of one kind and one company, claimed with one lease. */
export interface Claim {
  token: string;
  lane: Lane;
  kind: Job["kind"];
  companyId: string;
  jobs: Job[];
}

/** The jobs of one kind for some of a company's versions or sources. */
export interface Subjects {
  kind: Job["kind"];
  subjectIds: string[];
}
