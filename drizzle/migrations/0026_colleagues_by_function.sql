-- Citus refuses a policy that contains a subquery. A function may contain one.
CREATE FUNCTION ragstone.is_colleague(person uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT EXISTS (
    SELECT FROM ragstone.memberships
    WHERE user_id = person AND company_id = nullif(current_setting('app.company_id', true), '')::uuid
  )
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION ragstone.is_colleague FROM public;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION ragstone.is_colleague TO ragstone_app;--> statement-breakpoint
DROP POLICY colleague ON ragstone.users;--> statement-breakpoint
CREATE POLICY colleague ON ragstone.users FOR SELECT USING (ragstone.is_colleague(id));
