import type { Language } from "../../language/function-words.ts";
import { detectLanguage } from "../../language/language.ts";

/** The answer when the chunks do not contain one. */
const REFUSALS: Readonly<Record<Language, string>> = {
  en: "I could not find an answer to this question in the knowledge base.",
  it: "Non ho trovato una risposta a questa domanda nella base di conoscenza.",
  es: "No he encontrado una respuesta a esta pregunta en la base de conocimiento.",
  de: "Auf diese Frage habe ich in der Wissensdatenbank keine Antwort gefunden.",
  fr: "Je n’ai pas trouvé de réponse à cette question dans la base de connaissances.",
  pt: "Não encontrei uma resposta a esta pergunta na base de conhecimento.",
  nl: "Ik heb in de kennisbank geen antwoord op deze vraag gevonden.",
};

export function refusal(language: Language): string {
  return REFUSALS[language];
}

/**
 * The language to answer in: that of the question or, when the question is too short to tell, of the knowledge; else
 * English.
 */
export function answerLanguage(question: Language | null, knowledge = ""): Language {
  return question ?? detectLanguage(knowledge) ?? "en";
}
