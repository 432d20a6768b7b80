ALTER TABLE "ragstone"."companies" ADD COLUMN "retrieval_settings" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "ragstone"."companies" ADD COLUMN "retrieval_changed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "ragstone"."companies" ADD COLUMN "calibrates_scores" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "ragstone"."companies" ADD COLUMN "score_calibration" jsonb;