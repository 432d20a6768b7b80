-- A stored value as a point in time: ISO 8601 (UTC unless it has an offset) or seconds since 1970, else null. The result
-- does not depend on settings of the session, so the function is immutable.
CREATE FUNCTION "ragstone"."instant_or_null"(value jsonb) RETURNS timestamp with time zone
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
	given text := value #>> '{}';
BEGIN
	IF jsonb_typeof(value) = 'number' THEN
		RETURN to_timestamp(given::double precision);
	ELSIF jsonb_typeof(value) <> 'string' THEN
		RETURN NULL;
	ELSIF given ~ '^\d{4}-\d\d-\d\d$' THEN
		RETURN (given || 'T00:00:00Z')::timestamp with time zone;
	ELSIF given ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,20})?)?$' THEN
		RETURN (given || 'Z')::timestamp with time zone;
	ELSIF given ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,20})?)?(Z|[+-]\d\d:?\d\d)$' THEN
		RETURN given::timestamp with time zone;
	END IF;
	RETURN NULL;
EXCEPTION WHEN data_exception THEN
	RETURN NULL;
END
$$;
