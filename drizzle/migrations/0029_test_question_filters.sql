-- Earlier releases stored the metadata filter of a logged request in its internal form, which no run understood. Its
-- conditions become those that a caller writes: {"field": "region", "op": "eq", "value": "EU"} is {"region": {"eq": "EU"}}.
UPDATE "ragstone"."test_questions" SET "filters" = jsonb_set("filters", '{metadata}', (
  SELECT CASE
    WHEN "filters"->'metadata' ? 'op' THEN (jsonb_agg(written))->0
    WHEN "filters"->'metadata' ? 'not' THEN jsonb_build_object('not', (jsonb_agg(written))->0)
    WHEN "filters"->'metadata' ? 'or' THEN jsonb_build_object('or', jsonb_agg(written))
    ELSE jsonb_build_object('and', jsonb_agg(written))
  END
  FROM jsonb_array_elements(coalesce(
    "filters"->'metadata'->'and',
    "filters"->'metadata'->'or',
    jsonb_build_array(coalesce("filters"->'metadata'->'not', "filters"->'metadata'))
  )) AS members(node),
  LATERAL (SELECT CASE node->>'op'
    WHEN 'exists' THEN jsonb_build_object(node->>'field', jsonb_build_object('exists', true))
    WHEN 'notExists' THEN jsonb_build_object(node->>'field', jsonb_build_object('exists', false))
    ELSE jsonb_build_object(node->>'field', jsonb_build_object(node->>'op', node->'value'))
  END) AS conditions(written)
))
WHERE "filters"->'metadata' IS NOT NULL
  -- a condition in a group of a group is too rare to be rewritten
  AND NOT jsonb_path_exists("filters"->'metadata', '$.*[*].*[*] ? (exists(@.field))');
