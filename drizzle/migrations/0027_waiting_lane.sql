-- purges that wait for hours move to a lane of their own, because every claim would read those in the slow lane
UPDATE "ragstone"."jobs" SET "lane" = 'waiting'
	WHERE "state" = 'queued' AND "kind" = 'purge' AND "run_after" > now() + interval '10 minutes';--> statement-breakpoint
CREATE INDEX "jobs_waiting" ON "ragstone"."jobs" USING btree ("run_after") WHERE "ragstone"."jobs"."state" = 'queued' and "ragstone"."jobs"."lane" = 'waiting';
