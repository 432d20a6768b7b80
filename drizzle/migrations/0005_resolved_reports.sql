DELETE FROM "ragstone"."answer_reports" WHERE "resolved_at" IS NOT NULL;--> statement-breakpoint
UPDATE "ragstone"."audit_log" SET "target_name" = "target_id" WHERE "action" IN ('answer.reported', 'answer.resolved');--> statement-breakpoint
ALTER TABLE "ragstone"."answer_reports" DROP COLUMN "resolved_at";
