import type { Language } from "../function-words.ts";
import { detectLanguage } from "../language.ts";

/** What an answer says when the passages hold none. */
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

/** The language to answer in: the question's; that of the knowledge, then English, when the question is too short to tell. */
export function answerLanguage(question: string, knowledge = ""): Language {
  return detectLanguage(question) ?? detectLanguage(knowledge) ?? "en";
}
