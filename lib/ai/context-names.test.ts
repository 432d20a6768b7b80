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

test.each([
  ["clientName", "Studio 24", "Studio opens within 24 hours [1][24].", "[name] opens within 24 hours [1][24]."],
  ["clientServices", "24, 5G", "5G within 24 hours [24].", "[name] within 24 hours [24]."],
  ["companyProductsNames", "Router [2]", "Router [2] [1]", "[name] [2] [1]"],
  ["clientServices", "1,5 Gbit,Cloud 1,Cloud 2", "1 Cloud 2 of 1,5 Gbit.", "1 [name] of [name]."],
])("a number alone in the field %s, %j, is no name", (field, names, answer, kept) => {
  expect(withoutNames(answer, { [field]: names })).toBe(kept);
});

test.each([
  ["Ada (Plus), Ada, Bernadette", "Bernadette, Ada (Plus)", "[name], [name]"],
  ["Ada Rossi", "Ada Rossis Vertrag", "[name] [name]s Vertrag"],
  ["Lan Thi Rossi", "This is for Rossi.", "This is for [name]."],
  ["O'Brien", "Dear O’Brien,", "Dear [name],"],
  ["Pat O’Brien", "Mr O'Brien’s router", "Mr [name]’s router"],
  ["Eva Müller-Lang", "Frau Muller‑Lang, Frau Müller", "Frau [name], Frau [name]"],
  ["José", "Dear Jose, dear JOSE\u0301", "Dear [name], dear [name]"],
  ["Jose", "Dear José,", "Dear [name],"],
  ["İpek", "Merhaba ipek, İPEK", "Merhaba [name], [name]"],
  ["Nguyễn Thị Lan", "Dear Nguyen Lan,", "Dear [name] [name],"],
])("the name %j is found in %j", (clientName, answer, kept) => {
  expect(withoutNames(answer, { clientName })).toBe(kept);
});

test.each([
  ["山田タロー", "山田タローに、タローさん", "[name]に、[name]さん"],
  ["山田太郎", "山田様、こんにちは。太郎さん", "[name]様、こんにちは。[name]さん"],
  ["王伟", "尊敬的王先生，先生们", "尊敬的[name]先生，先生们"],
  ["김민수", "민수 씨, 김민수님", "[name] 씨, [name]님"],
])("a part of %s is found before a title", (clientName, answer, kept) => {
  expect(withoutNames(answer, { clientName })).toBe(kept);
});
