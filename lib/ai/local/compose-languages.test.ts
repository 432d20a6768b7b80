import { describe, expect, it } from "vitest";
import { LANGUAGES, type Language } from "../../language/function-words.ts";
import { refusal } from "./answer-phrases.ts";
import { composeAnswer } from "./compose.ts";

const cases: Record<Language, { question: string; off: string; content: string; expected: string }> = {
  en: {
    question: "When must I send the router back?",
    off: "Who won the football championship?",
    content: "The router is rented. Send the router back within 14 days after the contract ends. It stays ours.",
    expected: "Send the router back within 14 days after the contract ends. [1]",
  },
  it: {
    question: "Entro quando devo restituire il router?",
    off: "Chi ha vinto il campionato di calcio?",
    content:
      "Il router è a noleggio. Il router va restituito entro 14 giorni dalla fine del contratto. Grazie a tutti.",
    expected: "Il router va restituito entro 14 giorni dalla fine del contratto. [1]",
  },
  es: {
    question: "¿Cuándo tengo que devolver el router?",
    off: "¿Quién ganó el campeonato de fútbol?",
    content:
      "El router es alquilado. Tiene que devolver el router en 14 días tras el fin del contrato. Muchas gracias.",
    expected: "Tiene que devolver el router en 14 días tras el fin del contrato. [1]",
  },
  de: {
    question: "Wann muss ich den Router zurückschicken?",
    off: "Wer hat die Fußballmeisterschaft gewonnen?",
    content: "Der Router ist gemietet. Den Router bitte in 14 Tagen nach Vertragsende zurückschicken. Vielen Dank.",
    expected: "Den Router bitte in 14 Tagen nach Vertragsende zurückschicken. [1]",
  },
  fr: {
    question: "Quand dois-je renvoyer le routeur ?",
    off: "Qui a gagné le championnat de football ?",
    content:
      "Le routeur est loué. Il faut renvoyer le routeur dans les 14 jours après la fin du contrat. Merci beaucoup.",
    expected: "Il faut renvoyer le routeur dans les 14 jours après la fin du contrat. [1]",
  },
  pt: {
    question: "Quando devo devolver o router?",
    off: "Quem ganhou o campeonato de futebol?",
    content: "O router é alugado. O router tem de se devolver em 14 dias após o fim do contrato. Muito obrigado.",
    expected: "O router tem de se devolver em 14 dias após o fim do contrato. [1]",
  },
  nl: {
    question: "Wanneer moet ik de router terugsturen?",
    off: "Wie heeft het voetbalkampioenschap gewonnen?",
    content:
      "De router is gehuurd. De router terugsturen kan tot 14 dagen na het einde van het contract. Hartelijk dank.",
    expected: "De router terugsturen kan tot 14 dagen na het einde van het contract. [1]",
  },
};

describe.each(LANGUAGES)("in %s", (language) => {
  const { question, off, content, expected } = cases[language];
  const chunks = [{ title: "Help", path: [], sourceType: "document" as const, score: 0.8, content }];

  it("answers with the sentence that answers, and cites it", async () => {
    expect(await composeAnswer({ question, chunks, language })).toContain(expected);
  });

  it("says in the language of the question that there is no answer", async () => {
    expect(await composeAnswer({ question: off, chunks, language })).toBe(refusal(language));
  });
});
