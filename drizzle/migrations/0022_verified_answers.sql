ALTER TABLE "ragstone"."companies" ADD COLUMN "verified_closeness" double precision;--> statement-breakpoint
ALTER TABLE "ragstone"."sources" ADD COLUMN "verified_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "ragstone"."sources" ADD COLUMN "verified_by" text;--> statement-breakpoint
ALTER TABLE "ragstone"."sources" ADD COLUMN "verified_until" date;--> statement-breakpoint
CREATE INDEX "sources_verified" ON "ragstone"."sources" USING btree ("company_id","verified_until") WHERE "ragstone"."sources"."verified_until" is not null;