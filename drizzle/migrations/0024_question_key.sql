-- Adding a question looks for the same one among all questions of the company. A stored key is found by an index.
SET LOCAL statement_timeout = 0;--> statement-breakpoint
ALTER TABLE "ragstone"."source_versions" ADD COLUMN "question_key" text;--> statement-breakpoint
UPDATE "ragstone"."source_versions"
SET "question_key" = encode(sha256(convert_to(lower(btrim(regexp_replace("title", '[\s\u00a0\u202f]+', ' ', 'g'), ' ?!.')), 'UTF8')), 'hex')
WHERE "source_type" = 'qa';--> statement-breakpoint
CREATE INDEX "source_versions_question" ON "ragstone"."source_versions" USING btree ("company_id","question_key") WHERE "ragstone"."source_versions"."question_key" is not null;
