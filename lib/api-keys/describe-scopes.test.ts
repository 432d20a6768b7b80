import { expect, it } from "vitest";
import { describeScopes } from "./describe-scopes.ts";

it("names what a key may do, without what another scope contains", () => {
  expect(describeScopes(["retrieve"])).toBe("Ask");
  expect(describeScopes(["retrieve", "ingest"])).toBe("Ask, Add knowledge");
  expect(describeScopes(["ingest", "manage"])).toBe("Manage knowledge");
});
