import { expect, test } from "vitest";
import { changedSettings } from "./changed-settings.ts";
import type { CompanySettingsInput } from "./companies/schema.ts";

test("only the settings with another value are changed", () => {
  const before: CompanySettingsInput = { defaultAudience: ["ai_agent"], queryRetentionDays: 30, hashQueries: false };
  const changed = (after: CompanySettingsInput) => changedSettings(before, { ...before, ...after });
  expect(changed({})).toEqual({});
  expect(changed({ defaultAudience: ["ai_agent"], queryRetentionDays: 45 })).toEqual({ queryRetentionDays: 45 });
  expect(changed({ defaultAudience: [] })).toEqual({ defaultAudience: [] });
  expect(changed({ defaultAudience: ["ai_agent", "copilot"] })).toEqual({ defaultAudience: ["ai_agent", "copilot"] });
  expect(changed({ hashQueries: true, queryRetentionDays: undefined })).toEqual({ hashQueries: true });
});
