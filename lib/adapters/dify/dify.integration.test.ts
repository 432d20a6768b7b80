import { beforeAll, describe, expect, it } from "vitest";
import { POST as postTwice } from "../../../app/v1/api/dify/retrieval/retrieval/route.ts";
import { GET, POST } from "../../../app/v1/api/dify/retrieval/route.ts";
import type { CreateKeyInput } from "../../api-keys/schema.ts";
import { createKey } from "../../api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { testDatabase } from "../../testing/database.ts";
import { difyBody, difyRequest } from "../../testing/dify-request.ts";
import { addAndIngest, document, newCompany } from "../../testing/knowledge.ts";
import { getRequest } from "../../usage/log.ts";
import { difyResponse } from "./schema.ts";

testDatabase();

let scope: TenantScope;
let token: string;
beforeAll(async () => {
  scope = await newCompany();
  token = await newToken();
  const until = "2025-06-30T00:00:00Z";
  await addAndIngest(
    scope,
    document("eu", "In Europe a refund takes ten days.", {
      title: "Refunds in Europe",
      path: ["Support", "Billing"],
      metadata: {
        region: "EU",
        year: 2023,
        release: "2.0",
        draft: true,
        printed: "true",
        score: 5,
        dataset_id: "x",
        url: "https://example.com/refunds",
      },
    }),
    document("us", "In America a refund takes a month.", {
      metadata: { region: "US", year: 2024, draft: false, until },
    }),
    document("plain", "Refunds exist.", { path: ["Support", "Other"] }),
  );
});

async function newToken(input: Partial<CreateKeyInput> = {}): Promise<string> {
  return (await createKey(scope, CLI_ACTOR, { name: "Dify", ...input })).token;
}

const send = (body: string | object) => difyRequest(body, `Bearer ${token}`);

async function recordsOf(more: object = {}, as = token) {
  const response = await POST(difyRequest(difyBody(more), `Bearer ${as}`));
  const body = await response.json();
  expect(body).not.toHaveProperty("error_code");
  expect(response.status).toBe(200);
  return difyResponse.parse(body).records;
}

async function idsOf(more: object = {}, as = token) {
  return (await recordsOf(more, as)).map(({ metadata }) => metadata.source_id).toSorted();
}

async function errorOf(request: Request) {
  const response = await POST(request);
  return { status: response.status, ...(await response.json()) };
}

describe("a request from Dify", () => {
  it("gets records, best first, with metadata that Dify does not overwrite", async () => {
    const records = await recordsOf();
    expect(records.map(({ score }) => score)).toEqual(records.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(records.find(({ title }) => title === "Refunds in Europe")).toEqual({
      content: "In Europe a refund takes ten days.",
      score: expect.any(Number),
      title: "Refunds in Europe",
      metadata: {
        region: "EU",
        year: 2023,
        release: "2.0",
        draft: true,
        printed: "true",
        source_id: "eu",
        chunk_id: expect.any(String),
        source_type: "document",
        content_category: "general",
        path: ["Support", "Billing"],
        audience: ["ai_agent", "copilot"],
        url: "https://example.com/refunds",
      },
    });
  });

  it("is answered at the doubled path, too", async () => {
    expect((await postTwice(send(difyBody()))).status).toBe(200);
  });

  it.each([
    ["without metadata_condition", { metadata_condition: undefined }],
    ["with nulls", { retrieval_setting: null, metadata_condition: { logical_operator: null, conditions: null } }],
    ["with nested nulls", { retrieval_setting: { top_k: null, score_threshold: null } }],
    ["with a condition without a value", condition("region", "is", null)],
    ["with the id of the company", { knowledge_id: null }],
    ["with a large top_k", { retrieval_setting: { top_k: 1000 } }],
    ["with a long query", { query: "refund ".repeat(5_000) }],
  ])("%s finds everything", async (label, more) => {
    const named = label === "with the id of the company" ? { knowledge_id: scope.companyId } : {};
    expect(await idsOf({ ...more, ...named })).toEqual(["eu", "plain", "us"]);
  });

  it("gets at least one record, and only records from the threshold", async () => {
    expect(await recordsOf({ retrieval_setting: { top_k: 0 } })).toHaveLength(1);
    expect(await recordsOf({ retrieval_setting: { top_k: 5, score_threshold: 1 } })).toEqual([]);
  });

  it("searches below the path that the knowledge ID names", async () => {
    expect(await idsOf({ knowledge_id: "Support/Billing" })).toEqual(["eu"]);
    expect(await idsOf({ knowledge_id: "Support" })).toEqual(["eu", "plain"]);
    expect(await errorOf(send(difyBody({ knowledge_id: "Sales" })))).toMatchObject({ status: 404, error_code: 2001 });
  });

  it("does not tell a key which paths exist outside its policy", async () => {
    const bound = await newToken({ policy: { path: ["Support", "Other"] } });
    expect(await idsOf({}, bound)).toEqual(["plain"]);
    for (const knowledge_id of ["Support/Billing", "Sales"]) {
      const error = await errorOf(difyRequest(difyBody({ knowledge_id }), `Bearer ${bound}`));
      expect(error).toEqual({ status: 404, error_code: 2001, error_msg: "Knowledge not found" });
    }
  });
});

function condition(name: string, comparison_operator: string, value?: unknown) {
  return { metadata_condition: { logical_operator: "and", conditions: [{ name, comparison_operator, value }] } };
}

describe("a metadata condition of Dify", () => {
  it.each([
    ["region", "contains", "U", ["eu", "us"]],
    ["region", "not contains", "E", ["us"]],
    ["region", "start with", "E", ["eu"]],
    ["region", "end with", "S", ["us"]],
    ["region", "is", "EU", ["eu"]],
    ["region", "is not", "EU", ["us"]],
    ["year", "=", 2024, ["us"]],
    ["year", "≠", 2024, ["eu"]],
    ["year", "=", "2024", ["us"]],
    ["year", "≠", "2024", ["eu"]],
    ["year", "=", "02024", []],
    ["release", "is", "2.0", ["eu"]],
    ["release", "is not", "2.0", []],
    ["draft", "is", "true", ["eu"]],
    ["draft", "is not", "true", ["us"]],
    ["draft", "=", "false", ["us"]],
    ["draft", "in", "true, yes", ["eu"]],
    ["draft", "not in", ["false"], ["eu"]],
    ["printed", "is", "true", ["eu"]],
    ["region", "in", ["EU", "US"], ["eu", "us"]],
    ["region", "in", "EU, US", ["eu", "us"]],
    ["region", "not in", "EU", ["us"]],
    ["year", "in", "2022, 2024", ["us"]],
    ["year", "in", ["2023", "2024"], ["eu", "us"]],
    ["year", "not in", "2024", ["eu"]],
    ["release", "in", "2.0, 3.0", ["eu"]],
    ["region", "empty", null, ["plain"]],
    ["region", "not empty", "", ["eu", "us"]],
    ["year", ">", 2023, ["us"]],
    ["year", ">", "2023", ["us"]],
    ["year", "<", 2024, ["eu"]],
    ["year", "≥", 2023, ["eu", "us"]],
    ["year", "≤", 2023, ["eu"]],
    ["until", "before", "2025-07-01", ["us"]],
    ["until", "after", "1751241601", []],
    ["until", "after", 1_751_200_000, ["us"]],
    ["document_name", "contains", "Europe", ["eu"]],
    ["source", "is", "document", ["eu", "plain", "us"]],
    ["path", "start with", "Support/", ["eu", "plain"]],
  ])("%s %s %j finds %j", async (name, operator, value, expected) => {
    expect(await idsOf(condition(name, operator, value))).toEqual(expected);
  });

  it("counts a list of numbers as one condition, and takes long ones", async () => {
    const many = Array.from({ length: 50 }, () => ({ name: "year", comparison_operator: "in", value: "2023, 2024" }));
    expect(await idsOf({ metadata_condition: { conditions: many } })).toEqual(["eu", "us"]);
    const years = Array.from({ length: 100 }, (_, index) => String(1924 + index)).join(",");
    expect(await idsOf(condition("year", "in", years))).toEqual(["eu"]);
    expect(await idsOf(condition("year", "not in", years))).toEqual(["us"]);
  });

  it("combines with or, under either name", async () => {
    const conditions = [
      { name: "region", comparison_operator: "is", value: "EU" },
      { name: "year", comparison_operator: "is", value: 2024 },
    ];
    expect(await idsOf({ metadata_condition: { conditions } })).toEqual([]);
    for (const operator of ["logical_operator", "logic"]) {
      expect(await idsOf({ metadata_condition: { [operator]: "or", conditions } })).toEqual(["eu", "us"]);
    }
  });

  it.each([
    [condition("region", "like", "x"), /conditions\.0\.comparison_operator: unknown operator.*not contains/],
    [condition("year", ">", "new"), /^metadata_condition\.conditions\.0\.value: must be a number$/],
    [condition("region", "is", {}), /^metadata_condition\.conditions\.0\.value: must be a string, a number/],
    [{ metadata_condition: { conditions: new Array(51).fill({ name: "x", comparison_operator: "empty" }) } }, /50/],
    [{ metadata_condition: [] }, /^metadata_condition: must be an object$/],
    [{ query: " " }, /^query: must not be empty$/],
    [{ query: 5 }, /^query: must be a string$/],
    [{ knowledge_id: undefined }, /^knowledge_id: must be a string$/],
    [{ retrieval_setting: { top_k: "5" } }, /^retrieval_setting\.top_k: must be a number$/],
    [{ retrieval_setting: { score_threshold: 2 } }, /^retrieval_setting\.score_threshold: must be at most 1$/],
  ])("refuses %j and names the field", async (more, message) => {
    const error = await errorOf(send(difyBody(more)));
    expect(error).toMatchObject({ status: 400, error_code: 400, error_msg: expect.stringMatching(message) });
  });
});

it("every request and refusal is in the log with its adapter", async () => {
  for (const body of [difyBody(), difyBody({ query: "" })]) {
    const response = await POST(send(body));
    const logged = await getRequest(scope, SYSTEM_ACTOR, response.headers.get("x-request-id") ?? "");
    expect(logged).toMatchObject({ via: "dify", statusCode: response.status });
  }
});

it("other methods are refused in Dify's format", async () => {
  const response = await GET(new Request("http://localhost/v1/api/dify/retrieval"));
  expect(response.status).toBe(405);
  expect(await response.json()).toMatchObject({ error_code: 405, error_msg: expect.any(String) });
});
