import { expect, test } from "vitest";
import { isSensibleTitle } from "./title.ts";

test.each([
  "ISO27001",
  "FAQ2024",
  "EN301549",
  "COVID-19",
  "B2B-AGB-2024",
  "QA",
  "5G",
  "Widerrufsbelehrung",
  "价格表2024",
  "料金表2024年版",
  "価格",
  "茶",
  "Prices 2024",
  "Document retention",
  "Scan and pay 24/7",
])("%s is a title", (title) => {
  expect(isSensibleTitle(title)).toBe(true);
});

test.each([
  "",
  "a",
  "2024",
  "Microsoft Word - draft.docx",
  "Annual report.pdf",
  "Untitled-1",
  "Document1",
  "Doc2",
  "Mappe1",
  "Présentation1",
  "文档1",
  "Slide 1",
  "IMG1234",
  "scan0001",
  "IMG_20240115",
  "terms_of_service",
  "price_list_2024",
  "terms-of-service-2024",
  "report20240115",
  "9f86d081884c7d65",
  "0f8fad5b-d9cb-469f-a165-70867728950e",
])("%j was set by a program", (title) => {
  expect(isSensibleTitle(title)).toBe(false);
});
