import { describe, expect, it } from "vitest";
import { completeByRules, followUpOf } from "./follow-up.ts";

function completed(question: string, history: string): string | null {
  const followUp = followUpOf(question, history);
  return followUp && completeByRules(followUp);
}

describe("a follow-up question", () => {
  it.each([
    ["Client: Do you rent child seats?\nAgent: Yes.", "And how much is that?", "how much is that (rent child seats)?"],
    ["Client: What does Fibra 100 cost?\nAgent: €22.90.", "And Fibra 1000?", "What does Fibra 1000 cost?"],
    [
      "Client: How long is the notice for shops?\nAgent: A month.",
      "And for $$ shops?",
      "How long is the notice for $$ shops?",
    ],
    ["Client: What does Fibra 100 cost?\nAgent: €22.90.", "Fibra 1000?", "What does Fibra 1000 cost?"],
    ["User: When does the shop in Trento open?\nAgent: 9:30.", "And in Verona?", "When does the shop in Verona open?"],
    [
      "User: How much notice do I have to give to cancel?\nAgent: 30 days.",
      "What about business lines?",
      "How much notice do I have to give to cancel business lines?",
    ],
    [
      "Cliente: Quanto costa noleggiare una city bike?\nOperatore: 17 €.",
      "E una cargo bike?",
      "Quanto costa noleggiare una cargo bike?",
    ],
    [
      "Cliente: Posso restituire una bicicletta?\nOperatore: Sì.",
      "Entro quanti giorni?",
      "Entro quanti giorni (restituire bicicletta)?",
    ],
    ["Usuario: ¿Cuánto cuesta Fibra 100?\nAgente: 22,90 €.", "¿Y Fibra 1000?", "¿Cuánto cuesta Fibra 1000?"],
    [
      "User: Can I pause my line?\nAgent: Yes.\nUser: For how long?\nAgent: Four months.",
      "And what does that cost?",
      "what does that cost (pause line)?",
    ],
    [
      "User: Which plan is the cheapest?\nAgent: The cheapest one is Fibra 100.",
      "How long is its minimum term?",
      "How long is its minimum term (Fibra 100 plan cheapest)?",
    ],
  ])("after %j, %j becomes %j", (history, question, expected) => {
    expect(completed(question, history)).toBe(expected);
  });

  it.each([
    [
      "Customer: How much notice do I need?",
      "What about business customers with foreign registered office?",
      "How much notice do I need business customers with foreign registered office?",
    ],
    [
      "Cliente: Quanto costa la spedizione?",
      "E per le aziende con sede legale all'estero?",
      "Quanto costa la spedizione per le aziende con sede legale all'estero?",
    ],
    [
      "Kunde: Wie hoch ist die Kaution?",
      "Und für Firmenkunden mit Sitz Schweiz ohne Umsatzsteuernummer?",
      "Wie hoch ist die Kaution für Firmenkunden mit Sitz Schweiz ohne Umsatzsteuernummer?",
    ],
    [
      "Usuario: ¿Cuánto cuesta el envío?",
      "¿Y para los clientes empresariales con sede social extranjera?",
      "¿Cuánto cuesta el envío para los clientes empresariales con sede social extranjera?",
    ],
    [
      "Client: Combien coûte la livraison ?",
      "Et pour les entreprises dont le siège social est étranger ?",
      "pour les entreprises dont le siège social est étranger (coûte livraison)?",
    ],
    [
      "Pergunta: Quanto custa o envio?",
      "E para os clientes empresariais com sede social estrangeira?",
      "Quanto custa o envio para os clientes empresariais com sede social estrangeira?",
    ],
    [
      "Klant: Hoeveel kost de verzending?",
      "En voor zakelijke klanten zonder Nederlands vestigingsadres?",
      "Hoeveel kost de verzending voor zakelijke klanten zonder Nederlands vestigingsadres?",
    ],
  ])("after %j, %j asks the same of a longer subject: %j", (history, question, expected) => {
    expect(completed(question, history)).toBe(expected);
  });

  it("stays as it is when it says by itself what it is about", () => {
    const history = "User: Can I pause my line?\nAgent: Yes.";
    for (const question of ["How do I cancel my broadband contract?", "Is it possible to pay by credit card?"])
      expect(followUpOf(question, history)).toBeNull();
  });

  it.each<[string, string[]]>([
    [
      "Customer: How much is shipping?",
      [
        ...[
          "Hello",
          "Hi there!",
          "Yes, please.",
          "No",
          "Thanks!",
          "Thank you very much \u{1f600}",
          "Ok, great, thanks.",
        ],
        ...["What are your opening hours?", "What are the prices?", "What is your phone number?", "Who is the CEO?"],
        ...["Are there any discounts?", "How much is insurance?", "What is the email address?", "When do you open?"],
      ],
    ],
    [
      "Kunde: Wie kündige ich meinen Vertrag?",
      ["Gibt es einen Rabatt für Studenten?", "Danke!", "Vielen Dank", "Ja, bitte", "Nein", "In Ordnung", "Guten Tag!"],
    ],
    [
      "Cliente: Come disdico il contratto?",
      [
        ...["Quali sono i prezzi?", "Ci sono costi?", "Quanto dura la garanzia?", "Quali sono gli orari?"],
        ...["Grazie!", "Grazie mille", "Sì", "No, grazie", "Buongiorno"],
      ],
    ],
    ["Usuario: ¿Cómo cancelo el contrato?", ["¿Cuál es su horario de atención?", "¡Muchas gracias!", "Sí", "¡Hola!"]],
    ["Pergunta: Como cancelo o contrato?", ["Qual é o seu horário?", "Muito obrigada!", "Sim", "Não", "Bom dia"]],
    [
      "Client: Comment résilier le contrat ?",
      ["Y a-t-il des réductions ?", "Quels sont vos horaires ?", "Merci beaucoup !", "Oui", "D’accord", "Bonjour"],
    ],
    ["Klant: Hoe zeg ik het contract op?", ["Dank u wel!", "Bedankt", "Ja", "Nee", "Goedemorgen"]],
  ])("after %j, greetings, thanks and questions with a subject of their own stay as they are", (history, questions) => {
    for (const question of questions) expect([question, completed(question, history)]).toEqual([question, null]);
  });

  it.each<[string, string[]]>([
    [
      "Customer: How much is shipping?",
      [
        ...["How long does it take?", "And to France?", "How much?", "Within how many days?", "Who pays?"],
        ...["What is its phone number?", "And the prices?", "Is it open there?", "Thanks, and to France?"],
        ...["What email address?", "Which address?", "Which prices?"],
      ],
    ],
    [
      "Kunde: Wie kündige ich meinen Vertrag?",
      [
        "Wie lange dauert es?",
        "Wie teuer ist das?",
        "Danke, und wie lange?",
        "Wie lange gilt das?",
        "Wann gilt das?",
        "Bis wann gilt das?",
      ],
    ],
    [
      "Cliente: Come disdico il contratto?",
      [
        "Quanto costa?",
        "Quando lo spedite?",
        "Qual è?",
        "Entro quanti giorni?",
        "Quanto costa l'anno?",
        "A quale indirizzo?",
        "Qual è l'indirizzo?",
        "Qual è l'orario?",
        "Quale numero?",
      ],
    ],
    [
      "Usuario: ¿Cómo cancelo el contrato?",
      [
        "¿Cuánto cuesta?",
        "¿Cuándo llega?",
        "¿Y en Francia?",
        "¿Cuánto cuesta uno?",
        "¿Cuánto cuesta el mes?",
        "¿A qué dirección?",
        "¿Cuál es el horario?",
      ],
    ],
    ["Pergunta: Como cancelo o contrato?", ["Quanto custa?", "E em França?"]],
    [
      "Client: Comment résilier le contrat ?",
      ["Combien ?", "Quel est le prix ?", "Est-il gratuit ?", "Et en Suisse ?", "À quelle adresse ?", "Quels tarifs ?"],
    ],
    ["Klant: Hoe zeg ik het contract op?", ["Hoeveel?", "En in België?", "Hoe lang duurt het?"]],
  ])("after %j, what has no subject of its own is completed", (history, questions) => {
    for (const question of questions) expect([question, completed(question, history)]).not.toEqual([question, null]);
  });

  it.each([
    "Customer: How much is shipping to Italy?\nAgent: 5 euros.\nCustomer: Great, thanks",
    "Customer: How much is shipping to Italy? Thanks!\nAgent: 5 euros.",
    "Anna: How much is shipping to Italy?\nMarco: 5 euros. Anything else I can do for you?",
    "Anna: Hello!\nHow much is shipping to Italy?\nMarco: 5 euros.\nAnything else?",
    "Marco: Hello, how can I help you?\nAnna: How much is shipping to Italy?\nMarco: 5 euros. Anything else?",
    "How much is shipping to Italy?\n5 euros.",
  ])("after %j, the question that the client asked last is asked again", (history) => {
    expect(completed("And to France?", history)).toBe("How much is shipping to France?");
  });

  it.each([
    ...["was kann ich für Sie tun?", "wie kann ich Ihnen weiterhelfen?", "que puis-je faire pour vous ?"],
    ...["¿en qué te puedo ayudar?", "come posso essere utile?", "how are you today?", "what is your order number?"],
  ])("after the greeting %j, the question of the other one is asked again", (greeting) => {
    const history = `Marco: Hello, ${greeting}\nAnna: Wie viel kostet der Versand nach Italien?\nMarco: 5 Euro.`;
    expect(completed("Und nach Frankreich?", history)).toBe("Wie viel kostet der Versand nach Frankreich?");
  });

  it("is completed from a question with a decimal point as a whole", () => {
    const history = "Customer: Hello. How much is shipping a 2.5 kg parcel to Italy?\nAgent: 5 euros.";
    expect(completed("And to France?", history)).toBe("How much is shipping a 2.5 kg parcel to France?");
  });

  it("is found although the history already ends with it", () => {
    const history = "User: Do you rent child seats?\nAgent: Yes.\nUser: How much is that?";
    expect(completed("How much is that?", history)).toBe("How much is that (rent child seats)?");
  });

  it("stays as it is without a question before it", () => {
    expect(completed("And how much is that?", "Agent: Hello, welcome.")).toBe("And how much is that?");
    expect(followUpOf("And how much is that?", " \n ")).toBeNull();
  });
});
