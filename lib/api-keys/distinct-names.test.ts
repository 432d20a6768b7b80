import { expect, test } from "vitest";
import { distinctNames } from "./distinct-names.ts";

test("keys of the same name get their last characters, others keep their name", () => {
  const key = (id: string, name: string, last4: string) => ({ id, name, maskedToken: `ragstone_live_****${last4}` });
  const names = distinctNames([key("1", "Website", "aaaa"), key("2", "Website", "bbbb"), key("3", "CRM", "cccc")]);
  expect([...names.values()]).toEqual(["Website (…aaaa)", "Website (…bbbb)", "CRM"]);
});
