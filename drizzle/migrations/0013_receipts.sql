CREATE TABLE "ragstone"."returned_chunks" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"headings" text[] DEFAULT '{}' NOT NULL,
	"content" text NOT NULL,
	"returned_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "returned_chunks_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "ragstone"."companies" ADD COLUMN "keep_answers" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "ragstone"."source_versions" ADD COLUMN "emptied_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "ragstone"."source_versions" ADD COLUMN "author_type" text;--> statement-breakpoint
ALTER TABLE "ragstone"."source_versions" ADD COLUMN "author_name" text;--> statement-breakpoint
ALTER TABLE "ragstone"."answer_reports" ADD COLUMN "resolved_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "ragstone"."answer_reports" ADD COLUMN "history" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "ragstone"."query_log" ADD COLUMN "answer" text;--> statement-breakpoint
ALTER TABLE "ragstone"."query_log" ADD COLUMN "policy" jsonb;--> statement-breakpoint
CREATE INDEX "returned_chunks_source" ON "ragstone"."returned_chunks" USING btree ("company_id","source_id");--> statement-breakpoint
CREATE INDEX "returned_chunks_at" ON "ragstone"."returned_chunks" USING btree ("company_id","returned_at");--> statement-breakpoint
CREATE INDEX "answer_reports_request" ON "ragstone"."answer_reports" USING btree ("company_id","request_id");--> statement-breakpoint
UPDATE "ragstone"."source_versions" SET "emptied_at" = "purged_at" WHERE "purged_at" IS NOT NULL;--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ragstone"."returned_chunks" TO ragstone_app;--> statement-breakpoint
ALTER TABLE "ragstone"."returned_chunks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "ragstone"."returned_chunks" USING (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
  WITH CHECK (company_id = nullif(current_setting('app.company_id', true), '')::uuid);
