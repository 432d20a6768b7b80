CREATE EXTENSION IF NOT EXISTS vector;--> statement-breakpoint
CREATE SCHEMA IF NOT EXISTS "ragstone";
--> statement-breakpoint
CREATE TABLE "ragstone"."api_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"company_id" uuid NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"last4" text NOT NULL,
	"policy" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"rate_limit_per_minute" integer,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"replaced_by_id" uuid,
	"last_used_at" timestamp with time zone,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ragstone"."audit_log" (
	"company_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" uuid,
	"actor_name" text NOT NULL,
	"action" text NOT NULL,
	"target_type" text NOT NULL,
	"target_id" text NOT NULL,
	"target_name" text NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_log_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."chunks" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"content" text NOT NULL,
	"embedding_text" text NOT NULL,
	"headings" text[] DEFAULT '{}' NOT NULL,
	"word_length" integer NOT NULL,
	"gram_length" integer NOT NULL,
	"piece_count" integer NOT NULL,
	"raw_word_count" integer NOT NULL,
	"indexed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "chunks_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."version_chunks" (
	"company_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"chunk_id" uuid NOT NULL,
	"page" integer,
	CONSTRAINT "version_chunks_company_id_version_id_position_pk" PRIMARY KEY("company_id","version_id","position")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."companies" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"is_sample" boolean DEFAULT false NOT NULL,
	"default_audience" text[] DEFAULT '{"ai_agent","copilot"}' NOT NULL,
	"embedding_model_id" integer,
	"query_retention_days" integer DEFAULT 30 NOT NULL,
	"hash_queries" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ragstone"."embedding_models" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ragstone"."embedding_models_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"dimensions" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ragstone"."embeddings" (
	"company_id" uuid NOT NULL,
	"model_id" integer NOT NULL,
	"ordinal" integer NOT NULL,
	"embedding" vector NOT NULL,
	CONSTRAINT "embeddings_company_id_model_id_ordinal_pk" PRIMARY KEY("company_id","model_id","ordinal")
) PARTITION BY HASH ("company_id");
--> statement-breakpoint
CREATE TABLE "ragstone"."jobs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"company_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid,
	"payload" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"run_after" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_until" timestamp with time zone,
	"lease_token" uuid,
	"progress_done" integer DEFAULT 0 NOT NULL,
	"progress_total" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "ragstone"."lexical_blocks" (
	"company_id" uuid NOT NULL,
	"block" integer NOT NULL,
	"language" text NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"live" "bytea" NOT NULL,
	"live_count" integer DEFAULT 0 NOT NULL,
	"word_total" integer DEFAULT 0 NOT NULL,
	"gram_total" integer DEFAULT 0 NOT NULL,
	"piece_total" integer DEFAULT 0 NOT NULL,
	"raw_word_total" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "lexical_blocks_company_id_block_pk" PRIMARY KEY("company_id","block")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."lexical_postings" (
	"company_id" uuid NOT NULL,
	"term" integer NOT NULL,
	"block" integer NOT NULL,
	"postings" "bytea" NOT NULL,
	CONSTRAINT "lexical_postings_company_id_term_block_pk" PRIMARY KEY("company_id","term","block")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."meta" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ragstone"."source_versions" (
	"company_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"source_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"state" text DEFAULT 'building' NOT NULL,
	"source_type" text NOT NULL,
	"title" text NOT NULL,
	"audience" text[] NOT NULL,
	"content_category" text DEFAULT 'general' NOT NULL,
	"path" text[] DEFAULT '{}' NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"body" jsonb NOT NULL,
	"content_hash" text NOT NULL,
	"chunk_count" integer DEFAULT 0 NOT NULL,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ready_at" timestamp with time zone,
	CONSTRAINT "source_versions_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."sources" (
	"company_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"source_id" text NOT NULL,
	"current_version_id" uuid,
	"latest_version_id" uuid,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sources_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."subscription_history" (
	"company_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"status" text NOT NULL,
	"plan" text NOT NULL,
	"current_period_end" timestamp with time zone,
	"cancel_at_period_end" boolean NOT NULL,
	"event" text NOT NULL,
	"actor" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscription_history_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."subscriptions" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"plan" text DEFAULT 'unlimited' NOT NULL,
	"past_due_since" timestamp with time zone,
	"current_period_start" timestamp with time zone DEFAULT now() NOT NULL,
	"current_period_end" timestamp with time zone,
	"cancel_at_period_end" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ragstone"."answer_reports" (
	"company_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"request_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"question" text NOT NULL,
	"answer" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"resolved_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "answer_reports_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."query_log" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"origin" text NOT NULL,
	"api_key_id" uuid,
	"user_id" uuid,
	"query_text" text,
	"query_hash" text,
	"request" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"results" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"trace" jsonb,
	"stages" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"duration_ms" integer DEFAULT 0 NOT NULL,
	"status_code" integer NOT NULL,
	"error" text,
	"degraded" text[] DEFAULT '{}' NOT NULL,
	"answered" boolean,
	CONSTRAINT "query_log_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."usage_daily" (
	"company_id" uuid NOT NULL,
	"day" date NOT NULL,
	"requests" integer DEFAULT 0 NOT NULL,
	"errors" integer DEFAULT 0 NOT NULL,
	"answers" integer DEFAULT 0 NOT NULL,
	"unanswered" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_daily_company_id_day_pk" PRIMARY KEY("company_id","day")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."memberships" (
	"company_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_company_id_user_id_pk" PRIMARY KEY("company_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "ragstone"."user_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"hash" text NOT NULL,
	"email" text NOT NULL,
	"company_id" uuid,
	"role" text,
	"created_by" uuid,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ragstone"."users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text,
	"session_version" integer DEFAULT 1 NOT NULL,
	"failed_sign_ins" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ragstone"."api_keys" ADD CONSTRAINT "api_keys_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."audit_log" ADD CONSTRAINT "audit_log_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."chunks" ADD CONSTRAINT "chunks_company_id_source_id_sources_company_id_id_fk" FOREIGN KEY ("company_id","source_id") REFERENCES "ragstone"."sources"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."version_chunks" ADD CONSTRAINT "version_chunks_company_id_version_id_source_versions_company_id_id_fk" FOREIGN KEY ("company_id","version_id") REFERENCES "ragstone"."source_versions"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."companies" ADD CONSTRAINT "companies_embedding_model_id_embedding_models_id_fk" FOREIGN KEY ("embedding_model_id") REFERENCES "ragstone"."embedding_models"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."source_versions" ADD CONSTRAINT "source_versions_company_id_source_id_sources_company_id_id_fk" FOREIGN KEY ("company_id","source_id") REFERENCES "ragstone"."sources"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."sources" ADD CONSTRAINT "sources_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."subscription_history" ADD CONSTRAINT "subscription_history_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."subscriptions" ADD CONSTRAINT "subscriptions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."answer_reports" ADD CONSTRAINT "answer_reports_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."query_log" ADD CONSTRAINT "query_log_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."usage_daily" ADD CONSTRAINT "usage_daily_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."memberships" ADD CONSTRAINT "memberships_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "ragstone"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ragstone"."user_tokens" ADD CONSTRAINT "user_tokens_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "ragstone"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "ragstone"."api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_company" ON "ragstone"."api_keys" USING btree ("company_id","created_at");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "ragstone"."audit_log" USING btree ("company_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "chunks_ordinal" ON "ragstone"."chunks" USING btree ("company_id","ordinal");--> statement-breakpoint
CREATE INDEX "chunks_source" ON "ragstone"."chunks" USING btree ("company_id","source_id");--> statement-breakpoint
CREATE INDEX "version_chunks_chunk" ON "ragstone"."version_chunks" USING btree ("company_id","chunk_id");--> statement-breakpoint
CREATE UNIQUE INDEX "embedding_models_name" ON "ragstone"."embedding_models" USING btree ("name");--> statement-breakpoint
CREATE INDEX "jobs_due" ON "ragstone"."jobs" USING btree ("state","run_after");--> statement-breakpoint
CREATE INDEX "jobs_company" ON "ragstone"."jobs" USING btree ("company_id","kind","subject_id");--> statement-breakpoint
CREATE INDEX "source_versions_source" ON "ragstone"."source_versions" USING btree ("company_id","source_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "sources_source_id" ON "ragstone"."sources" USING btree ("company_id","source_id");--> statement-breakpoint
CREATE INDEX "query_log_at" ON "ragstone"."query_log" USING btree ("company_id","at");--> statement-breakpoint
CREATE INDEX "query_log_key" ON "ragstone"."query_log" USING btree ("company_id","api_key_id","at");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "ragstone"."memberships" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "user_tokens_hash" ON "ragstone"."user_tokens" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "user_tokens_company" ON "ragstone"."user_tokens" USING btree ("company_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "ragstone"."users" USING btree ("email");