import { expect, test } from "vitest";
import { questionForms } from "./question-forms.ts";

const english = { language: "en", content: "A cargo bike costs 38 euros for a day." } as const;
const question = "¿Cuánto cuesta alquilar una cargo bike?";

test("chunks in the question's language, or in none that is known, have the question as it is", () => {
  const forms = questionForms(question, "es", [
    { language: "es", content: "El alquiler cuesta 38 euros." },
    { content: "38" },
  ]);
  expect(forms).toEqual(Array(2).fill(expect.objectContaining({ question, language: "es", isTranslated: false })));
});

test("chunks in another language share the question word by word in that language", () => {
  const [first, second] = questionForms(question, "es", [english, { ...english, content: "Helmets are free." }]);
  expect(first).toMatchObject({ language: "en", isTranslated: true });
  expect(first?.question.split(" ")).toContain("rent");
  expect(second).toBe(first);
});

test("a word of the question that stands in a chunk is not translated", () => {
  const words = (content: string) => questionForms(question, "es", [{ ...english, content }])[0]?.question.split(" ");
  expect(words("A cargo bike costs 38 euros for a day.")).toContain("cargo");
  expect(words("A bike costs 38 euros for a day.")).not.toContain("cargo");
});

test("the words that say what type of fact is asked for are translated too", () => {
  const [form] = questionForms("Quanto costa una bici?", "it", [english]);
  expect(form?.typeWords).toContain("cost");
});
