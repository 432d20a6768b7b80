-- The HNSW indexes hold only the vectors that are in the graph, which are those of large companies. The indexes are built
-- again, because that is faster than changing them row by row.
SET LOCAL statement_timeout = 0;--> statement-breakpoint
ALTER TABLE "ragstone"."embeddings" ADD COLUMN "in_graph" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "embeddings_outside_graph" ON "ragstone"."embeddings" USING btree ("company_id","model_id","ordinal") WHERE not "ragstone"."embeddings"."in_graph";--> statement-breakpoint
DO $$
DECLARE
  definitions text[];
  name text;
  definition text;
BEGIN
  -- pgvector is much slower once a graph does not fit; workers would share memory, of which a container has 64 MB
  IF pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('256MB') THEN
    PERFORM set_config('maintenance_work_mem', '256MB', true), set_config('max_parallel_maintenance_workers', '0', true);
  END IF;
  SELECT coalesce(array_agg(indexdef), '{}') INTO definitions FROM pg_indexes
    WHERE schemaname = 'ragstone' AND indexname ~ '^embeddings_\d+_model_\d+$';
  FOR name IN SELECT indexname FROM pg_indexes
    WHERE schemaname = 'ragstone' AND indexname ~ '^embeddings_\d+_model_\d+$'
  LOOP
    EXECUTE format('DROP INDEX ragstone.%I', name);
  END LOOP;
  UPDATE ragstone.embeddings SET in_graph = true WHERE company_id IN (
    SELECT company_id FROM ragstone.lexical_blocks GROUP BY company_id HAVING sum(live_count) > 10000);
  FOREACH definition IN ARRAY definitions LOOP
    EXECUTE regexp_replace(definition, 'WHERE \((.*)\)$', 'WHERE (\1 AND in_graph)');
  END LOOP;
END $$;
