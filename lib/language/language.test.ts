import { describe, expect, test } from "vitest";
import { detectLanguage, LANGUAGES } from "./language.ts";

const QUESTIONS = {
  en: ["How do I reset my password?", "Is there a fee?", "cancel subscription", "What happens if I lose my card?"],
  it: ["Come posso annullare l'abbonamento?", "Qual è il prezzo?", "orari di apertura", "Dove trovo la fattura?"],
  es: ["¿Cómo puedo cancelar mi suscripción?", "¿Cuánto cuesta el envío?", "no puedo entrar en mi cuenta"],
  de: ["Wie kann ich mein Passwort zurücksetzen?", "Wo ist meine Bestellung?", "Kündigungsfrist"],
  fr: ["Comment réinitialiser mon mot de passe ?", "Où est ma commande ?", "délai de livraison"],
  pt: ["Como posso redefinir a minha senha?", "Onde está o meu pedido?", "Quanto custa o envio?"],
  nl: ["Hoe kan ik mijn wachtwoord wijzigen?", "Waar is mijn bestelling?", "Wat kost de verzending?"],
};

describe("detectLanguage", () => {
  test.each(LANGUAGES.flatMap((language) => QUESTIONS[language].map((text) => [language, text] as const)))(
    "detects %s: %s",
    (language, text) => expect(detectLanguage(text)).toBe(language),
  );

  test.each(["", "12345", "ABC-1234", "\u0000", "password reset"])("does not guess the language of %j", (text) => {
    expect(detectLanguage(text)).toBeNull();
  });

  test.each([
    "Jak mogę zresetować hasło w systemie?",
    "Hur återställer jag mitt lösenord?",
    "Как сбросить пароль от учётной записи?",
    "パスワードをリセットする方法",
  ])("returns none of its languages for a text in another: %s", (text) => {
    expect(detectLanguage(text)).toBeNull();
  });

  test("is not misled by foreign names in a text", () => {
    expect(detectLanguage("Le clausole di Salesforce Marketing Cloud sono nel contratto di licenza.")).toBe("it");
  });
});
