import { expect, it } from "vitest";
import { namesUnknownNumber } from "./product-numbers.ts";

it("knows a product whose number no chunk has", () => {
  const chunks = [{ title: "Prices", content: "Fibra 1000 costs €27.90." }];
  expect(namesUnknownNumber("What does Fibra 5000 cost?", chunks)).toBe(true);
  expect(namesUnknownNumber("What does Fibra 1000 cost?", chunks)).toBe(false);
  expect(namesUnknownNumber("What did it cost in May 2023?", chunks)).toBe(false);
  expect(namesUnknownNumber("What did it cost on June 15?", chunks)).toBe(false);
  expect(namesUnknownNumber("What does Fibra cost by Regulation 1065?", chunks)).toBe(false);
});
