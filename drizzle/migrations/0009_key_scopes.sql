ALTER TABLE "ragstone"."api_keys" ADD COLUMN "scopes" text[] DEFAULT '{"retrieve"}' NOT NULL;--> statement-breakpoint
ALTER TABLE "ragstone"."query_log" ADD COLUMN "via" text;