import { describe, expect, it, test } from "vitest";
import { ProviderError, type ProviderFailure } from "../ai/remote/provider-error.ts";
import { databaseUnavailable } from "../db/database-outage.ts";
import { CompanyGone, LeaseLost } from "../jobs/work-scope.ts";
import { UnreadableFile } from "../knowledge/parse/document.ts";
import { ObjectStoreError } from "../storage/object-store.ts";
import { affectsEveryJob, classifyFailure } from "./classify-failure.ts";

const providerError = (failure: ProviderFailure) => new ProviderError(failure, "The provider failed");

describe("the cause of a failure", () => {
  it.each([
    ["final", "an unreadable file", new UnreadableFile("The file is encrypted.")],
    ["unavailable", "an unreachable provider", providerError("network")],
    ["unavailable", "a refused key, which an operator can fix", providerError("refused")],
    ["unknown", "rejected input", providerError("rejected")],
    ["unavailable", "a database outage", databaseUnavailable()],
    ["unavailable", "an unavailable file storage", new ObjectStoreError("The bucket failed", { isUnavailable: true })],
    ["unknown", "a missing original", new ObjectStoreError("No such original")],
    ["unknown", "any other value", "a thrown string"],
  ])("is %s for %s", (cause, _what, error) => {
    expect(classifyFailure(error).cause).toBe(cause);
  });

  it("is shown in sentences, without details of unknown errors", () => {
    expect(classifyFailure(providerError("timeout"))).toMatchObject({
      reason: "The provider failed.",
      shown: "Failed after retrying for 24 hours: The provider failed. Try again.",
    });
    const unknown = classifyFailure(new Error("column x does not exist"));
    expect(unknown.reason).toBe("column x does not exist");
    expect(unknown.shown).not.toContain("column");
  });
});

test.each([
  [true, new CompanyGone("The company was deleted")],
  [true, new LeaseLost("Another worker has taken over the jobs")],
  [true, providerError("open")],
  [false, providerError("timeout")],
  [false, new UnreadableFile("The file is encrypted.")],
])("affects every job: %s for %s", (expected, error) => {
  expect(affectsEveryJob(error)).toBe(expected);
});
