import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { closeParsers } from "./child-processes.ts";
import { type Block, documentTitle } from "./document.ts";
import { parseFile } from "./index.ts";

const folder = path.resolve(import.meta.dirname, "../../../../shared/files");

/** Real documents by others, which are not part of the repository. */
describe.skipIf(!existsSync(folder))("real documents", () => {
  afterAll(closeParsers);

  function read(fileName: string) {
    return parseFile({ path: path.join(folder, fileName), fileName });
  }

  test.each([
    ["37signals-refund-policy.md", "Refund policy"],
    ["github-corporate-terms.md", "GitHub Corporate Terms of Service"],
    ["mozilla-subscription-privacy.it.md", "Servizi Mozilla in abbonamento | Informativa sulla privacy"],
    ["mozilla-cloud-services-tos.it.html", "Termini di servizio degli account Mozilla"],
    ["markitdown-test.docx", "AutoGen: Enabling Next-Gen LLM Applications via Multi-Agent Conversation"],
    ["37signals-dpa-current.pdf", "37SIGNALS DATA PROCESSING ADDENDUM"],
    ["37signals-dpa-2020-superseded.pdf", "BASECAMP DATA PROCESSING ADDENDUM (Revision July 2020)"],
    [
      "unstructured-copy-protected.pdf",
      "LayoutParser: A Unified Toolkit for Deep Learning Based Document Image Analysis",
    ],
  ])(
    "reads %s and its title",
    async (fileName, title) => {
      const document = await read(fileName);
      expect(documentTitle(document, fileName)).toBe(title);
      expect(document.blocks.length).toBeGreaterThan(5);
    },
    60_000,
  );

  test.each([
    [
      "unstructured-science-1p.pptx",
      "GSFC: Sciences and Exploration Directorate Virtual Machine Environment Scorecard",
    ],
    ["unstructured-eng-spa.odt", "unstructured-eng-spa.odt"],
    ["unstructured-winter-sports.epub", "Winter Sports in Switzerland"],
    ["markitdown-test.rtf", "markitdown-test.rtf"],
    ["unstructured-family-day.eml", "Family Day"],
  ])(
    "reads the short document %s",
    async (fileName, title) => {
      const document = await read(fileName);
      expect(documentTitle(document, fileName)).toBe(title);
      expect(document.blocks.length).toBeGreaterThan(1);
    },
    60_000,
  );

  test.each([["unstructured-image-only-scan.pdf", "contains only images"]])(
    "refuses %s with a reason",
    async (fileName, reason) => {
      await expect(read(fileName)).rejects.toThrow(reason);
    },
    60_000,
  );

  test("tables without borders in a PDF keep their columns", async () => {
    const { blocks } = await read("markitdown-borderless-table.pdf");
    const tables = blocks.filter((block) => block.kind === "table");
    expect(tables[0]).toMatchObject({
      header: ["Product Code", "Location", "Expected", "Actual", "Variance", "Status"],
      page: 1,
    });
    expect(tables[1]?.rows[1]).toEqual(["SKU-9201", "Hardware", "$32.50", "$25,285.00", "2024-10-22", "Verified"]);
  }, 60_000);

  test("sheets of a workbook become tables with merged headers", async () => {
    const { blocks } = await read("unstructured-half-year.xlsx");
    const [first, second] = blocks.filter((block) => block.kind === "table");
    expect(first?.header.slice(0, 3)).toEqual([
      "In millions of CHF",
      "January–June 2023 Sales (a)",
      "January–June 2023 Underlying Trading operating profit (b)",
    ]);
    expect(first?.rows[0]?.slice(0, 3)).toEqual(["Zone NA", "12,553", "2,713"]);
    expect(second?.header[1]).toBe("January–June 2022 Sales (a)");
  }, 60_000);

  test("a DOCX file of 872 pages keeps its headings", async () => {
    const { blocks } = await read("unstructured-handbook-872p.docx");
    expect(blocks.filter((block: Block) => block.kind === "heading").length).toBeGreaterThan(300);
    expect(blocks.length).toBeGreaterThan(4_000);
  }, 90_000);
});
