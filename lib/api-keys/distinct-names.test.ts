import { expect, test } from "vitest";
import { distinctNames } from "./distinct-names.ts";

test("keys of one name are told apart by their last characters, others are called as they are", () => {
  const key = (id: string, name: string, last4: string) => ({ id, name, maskedToken: `ragstone_live_****${last4}` });
  const names = distinctNames([key("1", "Website", "aaaa"), key("2", "Website", "bbbb"), key("3", "CRM", "cccc")]);
  expect([...names.values()]).toEqual(["Website (…aaaa)", "Website (…bbbb)", "CRM"]);
});
