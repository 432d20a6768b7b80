import { describe, expect, it } from "vitest";
import { labelChanges, type SourceLabels } from "../../label-changes.ts";
import { labelsAfter } from "./relabel-attachments.ts";

const EMAIL: SourceLabels = { audience: ["copilot", "team"], contentCategory: "mail", path: ["Mail"], metadata: {} };
const follow = (own: Partial<SourceLabels>, changed: Partial<SourceLabels>) =>
  labelsAfter({ ...EMAIL, ...own }, labelChanges(EMAIL, { ...EMAIL, ...changed }));

describe("an attachment", () => {
  it("keeps following its email where their labels are the same", () => {
    expect(follow({}, { audience: ["staff"], path: ["HR"] })).toEqual({ audience: ["staff"], path: ["HR"] });
    expect(follow({ contentCategory: "contract" }, { contentCategory: "letter" })).toBeNull();
    expect(follow({}, {})).toBeNull();
  });

  it("with other audiences only loses those that its email loses", () => {
    expect(follow({ audience: ["copilot"] }, { audience: ["copilot", "team", "public"] })).toEqual({
      audience: ["copilot"],
    });
    expect(follow({ audience: ["copilot", "staff"] }, { audience: ["team"] })).toEqual({ audience: ["staff"] });
    expect(follow({ audience: ["copilot"] }, { audience: ["team"] })).toBeNull();
  });

  it("gets the metadata that changed, and keeps what is its own", () => {
    const email = { ...EMAIL, metadata: { region: "EU", year: 2024 } };
    const changes = labelChanges(email, { ...email, metadata: { region: "UK" } });
    const own = { ...email, metadata: { region: "EU", year: 2024, page: 3 } };
    expect(labelsAfter(own, changes)).toEqual({ metadata: { region: "UK", page: 3 } });
  });
});
