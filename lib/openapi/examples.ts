import type { z } from "zod";
import type { statusResponse } from "../api-keys/schema.ts";
import type { RetrieveInput, RetrieveResponse } from "../retrieval/schema.ts";

/** A realistic example for the reference; a test checks it against the schemas. */
const COMPANY_ID = "9d0ed3a4-7c57-4a4e-9d2b-0f8e3a6c1b55";

export const chunksRequestExample: RetrieveInput = {
  queryText: "How do I cancel my contract?",
  filters: { sourceTypes: ["document", "qa"], audience: "ai_agent", metadata: { region: "EU", year: { gte: 2024 } } },
  scoreThreshold: 0.3,
  returnMode: "chunks_only",
  limit: 5,
};

export const answerRequestExample: RetrieveInput = {
  queryText: "How do I cancel my contract?",
  filters: { metadata: { region: "EU", year: { gte: 2024 } } },
  returnMode: "ai_generated_answer",
  limit: 5,
  useRerank: true,
  companyName: "Northwind Telecom",
  clientName: "Ada",
  clientServices: "Fibre 1000, Mobile M",
};

export const chunksResponseExample: RetrieveResponse = {
  results: [
    {
      id: "3f9f6c1e-2b4d-5c8a-9e7f-6a5b4c3d2e1f",
      score: 0.8234,
      payload: {
        companyId: COMPANY_ID,
        audience: ["ai_agent", "copilot"],
        contentCategory: "policy",
        content: "A contract can be cancelled in writing with thirty days' notice to the end of a month.",
        sourceType: "document",
        sourceId: "policies/cancellation.md",
        title: "Cancelling a contract",
        path: ["Policies", "Contracts", "Notice"],
        metadata: { fileName: "cancellation.md", headings: ["Notice"] },
      },
    },
  ],
  total: 1,
  retrievalTimeMs: 24,
};

export const answerResponseExample: RetrieveResponse = {
  aiGeneratedAnswer: "You can cancel in writing with thirty days' notice to the end of a month [1].",
  ...chunksResponseExample,
};

export const statusResponseExample: z.input<typeof statusResponse> = {
  status: "ok",
  timestamp: "2026-11-21T09:30:00.000Z",
  apiKey: {
    id: "0b8e2f64-57c1-4f0e-8a43-2d1c7f9b6e10",
    name: "Website chatbot",
    companyId: COMPANY_ID,
    maskedToken: "ragstone_live_************x9Qz",
  },
};
