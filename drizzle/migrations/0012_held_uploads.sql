CREATE TABLE "ragstone"."held_uploads" (
	"company_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"api_key_id" uuid,
	"file_name" text NOT NULL,
	"purpose" text NOT NULL,
	"storage_key" text NOT NULL,
	"bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "held_uploads_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "ragstone"."held_uploads" ADD CONSTRAINT "held_uploads_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sources_changed" ON "ragstone"."sources" USING btree ("company_id","updated_at","id");--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "ragstone"."held_uploads" TO ragstone_app;--> statement-breakpoint
ALTER TABLE "ragstone"."held_uploads" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY "tenant" ON "ragstone"."held_uploads"
	USING (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
	WITH CHECK (company_id = nullif(current_setting('app.company_id', true), '')::uuid);
