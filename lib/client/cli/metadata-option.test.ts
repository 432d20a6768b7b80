import { expect, test } from "vitest";
import { metadataOf } from "./metadata-option.ts";

test("reads key=value and JSON, and combines several", () => {
  expect(metadataOf(undefined)).toBeUndefined();
  expect(metadataOf(["region=EU"])).toEqual({ region: "EU" });
  expect(metadataOf(["year=2024"])).toEqual({ year: ["2024", 2024] });
  expect(metadataOf(["draft=false"])).toEqual({ draft: ["false", false] });
  expect(metadataOf(["formula=a=b"])).toEqual({ formula: "a=b" });
  expect(metadataOf(["number=007"])).toEqual({ number: "007" });
  expect(metadataOf(["region=EU", '{"year": {"gte": 2024}}'])).toEqual({
    and: [{ region: "EU" }, { year: { gte: 2024 } }],
  });
});

test("names what it cannot read", () => {
  expect(() => metadataOf(["region"])).toThrow('must be key=value or a JSON object, not "region"');
  expect(() => metadataOf(["{region}"])).toThrow("--metadata is not valid JSON: {region}");
});
