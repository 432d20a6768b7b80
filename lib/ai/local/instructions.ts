import type { Language } from "../../language/function-words.ts";
import { sentencesOf } from "./sentences.ts";

/** Words that tell an assistant what to do, in five languages. */
const INSTRUCTIONS: readonly RegExp[] = [
  // a turn of a conversation: "SYSTEM:", "<|im_start|>system", "[INST]", "### Instruction:"
  /^\W{0,4}(?:system|assistant|developer)(?: (?:prompt|message|note|override|instruction))?\s?:|<\|?(?:im_start|system|assistant|endoftext)\b|\[\/?INST\]|#{2,} ?(?:instructions?|system)\b/iu,
  /(?<!\p{L})(?:SYSTEM|ASSISTANT|DEVELOPER)(?: [A-Z]{4,12})?\s?:/u,
  // "ignore all previous instructions", or with "disregard", "forget", "override"
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|preceding|other|all|any|your|these|system)\b[^.!?\n]{0,40}\b(?:instructions?|prompts?|rules?|guidelines?|directions?|context|messages?|polic(?:y|ies)|questions?|documents?|chunks?|passages?)\b/iu,
  /\b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,20}\b(?:instructions?|prompts?|rules?|guidelines?)\b[^.!?\n]{0,10}\b(?:above|before|given)\b/iu,
  /(?<!\p{L})(?:ignora(?:re|te)?|dimentica(?:re|te)?|trascura(?:re)?|ignorez?|oublie[rz]?|ignoriere?n?|vergiss|vergessen|missachte|olvid[ae]|haz caso omiso)(?!\p{L})[^.!?\n]{0,50}(?<!\p{L})(?:istruzion[ei]|indicazion[ei]|regole|instruc(?:ciones|tions?)|indicaciones|reglas|consignes|règles|anweisung(?:en)?|regeln|vorgaben|prompt)(?!\p{L})/iu,
  // "ignore everything", "answer with", "whatever happens"
  /^\W{0,3}(?:ignore|forget|disregard) (?:everything|all)\b|^\W{0,3}(?:answer|reply|respond) with\b/iu,
  /^\W{0,3}(?:ignora|ignori|dimentica|olvida|olvide|vergiss|oublie[z]?) (?:tutto|todo|alles|tout)(?!\p{L})/iu,
  // "note to the chatbot"
  /\b(?:note|message|instruction|attention|notice)s? (?:to|for) (?:the |any |all )?(?:ai|assistants?|chatbots?|language models?|llms?|bots?|models?)\b/iu,
  /(?<!\p{L})(?:nota|istruzion[ei]|instrucción|hinweis|anweisung|note|consigne)\p{L}* (?:per|para|für|pour|an|all[ae']?|al|à) ?(?:l[aeo']|il|gli|los?|las?|das|den|die|alle|tous les|l')? ?(?:ia|ki|ai|assistent\p{L}*|asistentes?|assistants?|chatbot\p{L}*|sprachmodell\p{L}*|modell[oi]|modelos?)(?!\p{L})/iu,
  // "reveal your system prompt", "reply only with", "always answer that"
  /\b(?:system prompt|jailbreak|developer mode|DAN mode)\b|\b(?:reveal|print|output|repeat|show)\b[^.!?\n]{0,30}\b(?:your|the) (?:instructions|prompt|rules|configuration)\b/iu,
  /\b(?:always|only|must|please|just) (?:answer|reply|respond)\b[^.!?\n]{0,40}\b(?:with|that|by saying)\b|\b(?:answer|reply|respond) (?:only|always) (?:with|that)\b|\b(?:answer|reply|respond) (?:to )?(?:every|all|any) (?:question|request)s?\b/iu,
  /(?<!\p{L})(?:rispond[ia]|risponder[ei]|rispondete|responde|responda|antworte|antworten sie|réponds|répondez)(?!\p{L})[^.!?\n]{0,30}(?<!\p{L})(?:sempre|solo|soltanto|che|siempre|que|immer|nur|toujours|seulement|uniquement)(?!\p{L})/iu,
];

/** Words that in knowledge speak to an assistant, but in a question may describe the work of the one who asks. */
const ROLES: readonly RegExp[] = [
  // "if you are asked", "when asked about"
  /\b(?:if|when(?:ever)?) (?:you are|you're|a user|the user|someone|anyone|a customer|the customer|anybody)(?: \w+)? (?:asked|asks?)\b|\b(?:if|when(?:ever)?) asked\b[^.!?\n]{0,60}\b(?:say|answer|reply|respond|tell|state|claim)\b/iu,
  /(?<!\p{L})(?:se (?:ti|vi|qualcuno|l'utente|un utente|un cliente)(?: \p{L}+){0,2} (?:chied\p{L}*|chiest\p{L}*|domand\p{L}*)|si (?:te|le|alguien|el usuario|un usuario)(?: \p{L}+)? (?:pregunt\p{L}*)|wenn (?:du|sie|man|jemand|der (?:nutzer|benutzer|kunde))(?: \p{L}+){0,4} (?:gefragt|fragt)|si (?:on|l'utilisateur|un utilisateur|quelqu'un)(?: \p{L}+)? (?:demande|interroge))(?!\p{L})/iu,
  // "as an AI", "you are a helpful assistant"
  /\b(?:as|you are|you're|act as|pretend to be|you must act as) (?:now )?(?:an?|the) (?:\w+ ){0,2}(?:ai|language model|llm|assistant|chatbot|bot)\b|\byou are now\b/iu,
  /(?<!\p{L})(?:in quanto|come|sei|agisci come|como|eres|actúa como|als|du bist|sie sind|en tant qu[e']|tu es|vous êtes|agis comme) ?(?:un[ea]?|eine?|ora|ahora|jetzt|maintenant|l'|la |un')? ?(?:ia|ki|ai|assistent[e]?|asistente|assistant|modello linguistico|modelo de lenguaje|sprachmodell|modèle de langage|chatbot)(?!\p{L})/iu,
  // "AI assistants must tell users"
  /\b(?:AI|LLM|language model|AI assistant|virtual assistant|chatbot)s?\b[^.!?\n]{0,60}\b(?:must|should|shall|have to|need to)\b/iu,
];

/** The first words of a question that may lack its mark, in seven languages. */
const QUESTION_START =
  /^[^\p{L}]{0,3}(?:what|which|who|whom|whose|when|where|why|how|is|are|am|do|does|did|can|could|may|must|shall|should|will|would|has|have|che|cosa|chi|come|quando|dove|perché|qual[ei]?|quant[oaie]|posso|possiamo|può|devo|dobbiamo|qu[eé]|quién|cómo|cuándo|dónde|cuál(?:es)?|cuánt[oa]s?|puedo|podemos|debo|was|welche[mnrs]?|wer|wem|wen|wann|wo|warum|wie|wieviel|kann|können|darf|dürfen|muss|müssen|quels?|quelles?|qui|quand|où|pourquoi|comment|combien|est-ce|puis-je|peut-on|dois-je|quem|onde|porquê|como|quant[oa]s|wat|welke?|wanneer|waar|waarom|hoe|hoeveel|mag|moet)(?!\p{L})/iu;

/** In characters; a longer text is judged by its beginning. */
const LENGTH_MAX = 2_000;

/**
 * Whether a sentence gives instructions to an assistant ("SYSTEM: …", "Ignore the rules above", "If you are asked …").
 * Knowledge does not speak to the program that quotes it, so such a sentence is never part of an answer.
 */
export function addressesAssistant(text: string): boolean {
  const start = text.slice(0, LENGTH_MAX);
  return INSTRUCTIONS.some((pattern) => pattern.test(start)) || ROLES.some((pattern) => pattern.test(start));
}

/** Whether a sentence of a chunk gives instructions to an assistant. */
export function hasInstructions(content: string, language: Language): boolean {
  return content.split("\n").some((line) => sentencesOf(line, language).some(addressesAssistant));
}

/** The question without sentences that give instructions to an assistant, unless it has no others. */
export function withoutInstructions(question: string, language: Language): string {
  const own = sentencesOf(question, language).filter((sentence) => !isInstruction(sentence));
  return own.length > 0 ? own.join(" ") : question;
}

function isInstruction(sentence: string): boolean {
  const start = sentence.slice(0, LENGTH_MAX);
  const isQuestion = QUESTION_START.test(start) || /\?[^\p{L}\p{N}]{0,5}$/u.test(sentence);
  return !isQuestion && INSTRUCTIONS.some((pattern) => pattern.test(start));
}
