import { expect, test } from "vitest";
import { withoutNames } from "./context-names.ts";

const CONTEXT = {
  clientName: "Ada  Rossi",
  companyName: "Norte (Italia)",
  companyProductsNames: "Fibra 1000, Cloud",
  clientServices: "web hosting;5G",
  clientLogs: "contract",
};

test.each([
  ["Dear Ada Rossi, your contract ends [1].", "Dear [name], your contract ends [1]."],
  ["Dear ADA\nROSSI, hello.", "Dear [name], hello."],
  ["Ms Rossi's router. Ada!", "Ms [name]'s router. [name]!"],
  ["Your fibra 1000 and Web Hosting at Norte (Italia).", "Your [name] and [name] at [name]."],
  ["Adam has Fibra 10000 and clouds.", "Adam has Fibra 10000 and clouds."],
  ["Nothing is known.", "Nothing is known."],
])("%j is kept as %j", (answer, kept) => {
  expect(withoutNames(answer, CONTEXT)).toBe(kept);
});

test("a part of the client's name in lower case is a word", () => {
  const context = { clientName: "Will de la Cruz" };
  expect(withoutNames("Will, you will find la casa de Cruz.", context)).toBe(
    "[name], you will find la casa de [name].",
  );
});

test("names stand without spaces in Chinese, and accents may be composed", () => {
  expect(withoutNames("尊敬的王伟您好。", { clientName: "王伟" })).toBe("尊敬的[name]您好。");
  expect(withoutNames("Dear Jose\u0301,", { clientName: "José" })).toBe("Dear [name],");
  expect(withoutNames("Dear José,", { clientName: "Jose\u0301" })).toBe("Dear [name],");
});
