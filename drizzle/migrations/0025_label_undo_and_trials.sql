CREATE TABLE "ragstone"."retrieval_trials" (
	"company_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tried_by" text NOT NULL,
	"saved" jsonb NOT NULL,
	"proposed" jsonb NOT NULL,
	"outcome" jsonb NOT NULL,
	CONSTRAINT "retrieval_trials_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "ragstone"."source_versions" ADD COLUMN "relabel_id" uuid;--> statement-breakpoint
ALTER TABLE "ragstone"."retrieval_trials" ADD CONSTRAINT "retrieval_trials_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "retrieval_trials_created" ON "ragstone"."retrieval_trials" USING btree ("company_id","created_at");--> statement-breakpoint
CREATE INDEX "audit_log_relabelled" ON "ragstone"."audit_log" USING btree ("company_id","created_at") WHERE "ragstone"."audit_log"."action" = 'knowledge.relabelled' and "ragstone"."audit_log"."target_type" = 'sources';--> statement-breakpoint
CREATE INDEX "source_versions_relabel" ON "ragstone"."source_versions" USING btree ("company_id","relabel_id") WHERE "ragstone"."source_versions"."relabel_id" is not null;--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ragstone"."retrieval_trials" TO ragstone_app;--> statement-breakpoint
ALTER TABLE "ragstone"."retrieval_trials" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "ragstone"."retrieval_trials" USING (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
  WITH CHECK (company_id = nullif(current_setting('app.company_id', true), '')::uuid);
