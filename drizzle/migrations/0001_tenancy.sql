-- Partitions of the embeddings, the application's role, and row-level security as the second wall.
DO $$
BEGIN
  FOR part IN 0..7 LOOP
    EXECUTE format(
      'CREATE TABLE ragstone.embeddings_%1$s PARTITION OF ragstone.embeddings FOR VALUES WITH (MODULUS 8, REMAINDER %1$s)',
      part
    );
    -- kept in the row: an exact scan that follows a pointer for every vector is several times slower
    EXECUTE format('ALTER TABLE ragstone.embeddings_%s ALTER COLUMN embedding SET STORAGE MAIN', part);
  END LOOP;
END $$;
--> statement-breakpoint
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ragstone_app') THEN
    CREATE ROLE ragstone_app NOLOGIN;
  END IF;
  EXECUTE format('GRANT ragstone_app TO %I', current_user);
END $$;
--> statement-breakpoint
DO $$
DECLARE
  outsider text;
  tenant text;
BEGIN
  FOREACH outsider IN ARRAY ARRAY['public', 'anon', 'authenticated'] LOOP
    IF outsider = 'public' OR EXISTS (SELECT FROM pg_roles WHERE rolname = outsider) THEN
      EXECUTE format('REVOKE ALL ON SCHEMA ragstone FROM %s', outsider);
    END IF;
  END LOOP;
  GRANT USAGE ON SCHEMA ragstone TO ragstone_app;
  FOREACH tenant IN ARRAY ARRAY[
    'memberships', 'user_tokens', 'api_keys', 'subscriptions', 'subscription_history', 'sources', 'source_versions', 'chunks',
    'version_chunks', 'embeddings', 'lexical_blocks', 'lexical_postings', 'jobs', 'query_log', 'usage_daily', 'answer_reports', 'audit_log'
  ] LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ragstone.%I TO ragstone_app', tenant);
    EXECUTE format('ALTER TABLE ragstone.%I ENABLE ROW LEVEL SECURITY', tenant);
    EXECUTE format(
      'CREATE POLICY tenant ON ragstone.%I USING (company_id = nullif(current_setting(''app.company_id'', true), '''')::uuid) '
      'WITH CHECK (company_id = nullif(current_setting(''app.company_id'', true), '''')::uuid)',
      tenant
    );
  END LOOP;
  -- a company sees its own row, the people in it, and the models that vectors are named by
  GRANT SELECT, UPDATE ON ragstone.companies TO ragstone_app;
  ALTER TABLE ragstone.companies ENABLE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ragstone.companies USING (id = nullif(current_setting('app.company_id', true), '')::uuid)
    WITH CHECK (id = nullif(current_setting('app.company_id', true), '')::uuid);
  GRANT SELECT (id, email, name, created_at) ON ragstone.users TO ragstone_app;
  ALTER TABLE ragstone.users ENABLE ROW LEVEL SECURITY;
  CREATE POLICY colleague ON ragstone.users FOR SELECT USING (
    id IN (SELECT user_id FROM ragstone.memberships)
  );
  GRANT SELECT ON ragstone.embedding_models TO ragstone_app;
END $$;
