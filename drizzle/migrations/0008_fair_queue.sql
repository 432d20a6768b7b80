CREATE TABLE "ragstone"."workers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"model" text,
	"until_idle" boolean DEFAULT false NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "ragstone"."jobs_due";--> statement-breakpoint
ALTER TABLE "ragstone"."jobs" ADD COLUMN "lane" text DEFAULT 'quick' NOT NULL;--> statement-breakpoint
ALTER TABLE "ragstone"."jobs" ADD COLUMN "deaths" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ragstone"."jobs" ADD COLUMN "lease_owner" uuid;--> statement-breakpoint
-- long jobs that wait go to their lane; the others are sorted when they are read
UPDATE "ragstone"."jobs" SET "lane" = 'slow' WHERE "kind" <> 'ingest' AND "state" IN ('queued', 'running');--> statement-breakpoint
-- places whose chunk was never stored, because the worker died in between: the next attempt writes both
DELETE FROM "ragstone"."version_chunks" v WHERE NOT EXISTS (
	SELECT FROM "ragstone"."chunks" c WHERE c."company_id" = v."company_id" AND c."id" = v."chunk_id");--> statement-breakpoint
ALTER TABLE "ragstone"."version_chunks" ADD CONSTRAINT "version_chunks_company_id_chunk_id_chunks_company_id_id_fk" FOREIGN KEY ("company_id","chunk_id") REFERENCES "ragstone"."chunks"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "jobs_queued" ON "ragstone"."jobs" USING btree ("lane","company_id","deaths","created_at","id") WHERE "ragstone"."jobs"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "jobs_running" ON "ragstone"."jobs" USING btree ("lease_until") WHERE "ragstone"."jobs"."state" = 'running';