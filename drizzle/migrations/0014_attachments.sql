ALTER TABLE "ragstone"."source_versions" ADD COLUMN "given_metadata" jsonb;--> statement-breakpoint
ALTER TABLE "ragstone"."sources" ADD COLUMN "attached_to" uuid;--> statement-breakpoint
CREATE INDEX "sources_attached" ON "ragstone"."sources" USING btree ("company_id","attached_to") WHERE "ragstone"."sources"."attached_to" is not null;