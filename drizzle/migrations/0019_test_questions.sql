CREATE TABLE "ragstone"."test_questions" (
	"company_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"question" text NOT NULL,
	"api_key_id" uuid,
	"filters" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"expected_source" text,
	"excluded_source" text,
	"facts" text[] DEFAULT '{}' NOT NULL,
	"must_refuse" boolean DEFAULT false NOT NULL,
	"request_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"state" text,
	"outcome" jsonb,
	"checked_at" timestamp with time zone,
	"passed_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	CONSTRAINT "test_questions_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."test_runs" (
	"company_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"started_by" text,
	"total" integer DEFAULT 0 NOT NULL,
	"passed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"outcomes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"error" text,
	CONSTRAINT "test_runs_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "ragstone"."test_questions" ADD CONSTRAINT "test_questions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."test_runs" ADD CONSTRAINT "test_runs_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "test_questions_updated" ON "ragstone"."test_questions" USING btree ("company_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "test_runs_created" ON "ragstone"."test_runs" USING btree ("company_id","created_at");--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ragstone"."test_questions" TO ragstone_app;--> statement-breakpoint
ALTER TABLE "ragstone"."test_questions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "ragstone"."test_questions" USING (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
  WITH CHECK (company_id = nullif(current_setting('app.company_id', true), '')::uuid);--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ragstone"."test_runs" TO ragstone_app;--> statement-breakpoint
ALTER TABLE "ragstone"."test_runs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "ragstone"."test_runs" USING (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
  WITH CHECK (company_id = nullif(current_setting('app.company_id', true), '')::uuid);