ALTER TABLE "ragstone"."held_uploads" ADD COLUMN "attached_to" uuid;--> statement-breakpoint
CREATE INDEX "sources_added" ON "ragstone"."sources" USING btree ("company_id","created_at","id");