ALTER TABLE "ragstone"."source_versions" ADD COLUMN "storage_key" text;--> statement-breakpoint
ALTER TABLE "ragstone"."source_versions" ADD COLUMN "purged_at" timestamp with time zone;--> statement-breakpoint
UPDATE "ragstone"."source_versions" SET "storage_key" = "body" ->> 'storageKey' WHERE "body" ->> 'kind' = 'file';--> statement-breakpoint
CREATE INDEX "source_versions_original" ON "ragstone"."source_versions" USING btree ("company_id","storage_key") WHERE "ragstone"."source_versions"."storage_key" is not null;--> statement-breakpoint
CREATE INDEX "source_versions_stale" ON "ragstone"."source_versions" USING btree ("company_id","source_id") WHERE "ragstone"."source_versions"."state" in ('superseded', 'failed') and "ragstone"."source_versions"."purged_at" is null;