CREATE TABLE "ragstone"."question_gaps" (
	"company_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"questions" jsonb NOT NULL,
	"times" integer NOT NULL,
	"reports" integer NOT NULL,
	"keys" jsonb NOT NULL,
	"last_asked_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"assignee_id" uuid,
	"snoozed_until" timestamp with time zone,
	"dismissed_at" timestamp with time zone,
	"dismissed_by" text,
	"dismiss_reason" text,
	CONSTRAINT "question_gaps_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."suggestions" (
	"company_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"source_id" uuid,
	"content" jsonb NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"request_id" uuid,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decision" text,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	"reason" text,
	CONSTRAINT "suggestions_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "ragstone"."question_gaps" ADD CONSTRAINT "question_gaps_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."suggestions" ADD CONSTRAINT "suggestions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "question_gaps_last_asked" ON "ragstone"."question_gaps" USING btree ("company_id","last_asked_at");--> statement-breakpoint
CREATE INDEX "suggestions_open" ON "ragstone"."suggestions" USING btree ("company_id","created_at") WHERE "ragstone"."suggestions"."decision" is null;--> statement-breakpoint
CREATE INDEX "suggestions_source" ON "ragstone"."suggestions" USING btree ("company_id","source_id");--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ragstone"."question_gaps" TO ragstone_app;--> statement-breakpoint
ALTER TABLE "ragstone"."question_gaps" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "ragstone"."question_gaps" USING (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
  WITH CHECK (company_id = nullif(current_setting('app.company_id', true), '')::uuid);--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ragstone"."suggestions" TO ragstone_app;--> statement-breakpoint
ALTER TABLE "ragstone"."suggestions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "ragstone"."suggestions" USING (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
  WITH CHECK (company_id = nullif(current_setting('app.company_id', true), '')::uuid);
