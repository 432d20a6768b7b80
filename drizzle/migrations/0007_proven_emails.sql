CREATE TABLE "ragstone"."user_identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
ALTER TABLE "ragstone"."user_tokens" ADD COLUMN "mailed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- null for the users that exist: nothing was recorded of how they came by their account
ALTER TABLE "ragstone"."users" ADD COLUMN "email_proven_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "ragstone"."user_identities" ADD CONSTRAINT "user_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "ragstone"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "user_identities_user" ON "ragstone"."user_identities" USING btree ("user_id","issuer");