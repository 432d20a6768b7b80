-- Inner products of rounded vectors do not depend on the order of additions, so an index in memory gives exactly the
-- database's scores. In 32 bits, numbers near 3,072 are multiples of 1/4096, so adding and subtracting it rounds.
-- The HNSW indexes are built again, because that is faster than changing them row by row.
SET LOCAL statement_timeout = 0;--> statement-breakpoint
DO $$
DECLARE
  definitions text[];
  name text;
  definition text;
BEGIN
  SELECT coalesce(array_agg(indexdef), '{}') INTO definitions FROM pg_indexes
    WHERE schemaname = 'ragstone' AND indexname ~ '^embeddings_\d+_model_\d+$';
  FOR name IN SELECT indexname FROM pg_indexes
    WHERE schemaname = 'ragstone' AND indexname ~ '^embeddings_\d+_model_\d+$'
  LOOP
    EXECUTE format('DROP INDEX ragstone.%I', name);
  END LOOP;
  UPDATE ragstone.embeddings
    SET embedding = embedding + array_fill(3072::real, ARRAY[vector_dims(embedding)])::vector
      - array_fill(3072::real, ARRAY[vector_dims(embedding)])::vector;
  FOREACH definition IN ARRAY definitions LOOP
    EXECUTE definition;
  END LOOP;
END $$;--> statement-breakpoint
UPDATE ragstone.companies SET content_stamp = gen_random_uuid();
