CREATE TABLE "ragstone"."knowledge_calls_daily" (
	"company_id" uuid NOT NULL,
	"day" date NOT NULL,
	"api_key_id" uuid NOT NULL,
	"via" text NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"errors" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "knowledge_calls_daily_company_id_day_api_key_id_via_pk" PRIMARY KEY("company_id","day","api_key_id","via")
);
--> statement-breakpoint
ALTER TABLE "ragstone"."knowledge_calls_daily" ADD CONSTRAINT "knowledge_calls_daily_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ragstone"."knowledge_calls_daily" TO ragstone_app;--> statement-breakpoint
ALTER TABLE "ragstone"."knowledge_calls_daily" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY "tenant" ON "ragstone"."knowledge_calls_daily"
	USING (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
	WITH CHECK (company_id = nullif(current_setting('app.company_id', true), '')::uuid);
