/** The kind of fact that a question asks for, as far as its words tell in any supported language. */
export type QuestionType = "quantity" | "time" | "person" | "procedure";

const TYPES: readonly { type: QuestionType; asks: RegExp }[] = [
  {
    type: "procedure",
    asks: anyOf(`
      how (?:do|does|can|could|should|to|would) | steps | procedure | come (?:si|posso|puo|può|possiamo|faccio|fare|devo|fa) | procedura | passaggi
      | c[oó]mo | pasos | wie (?:kann|kannst|können|mache|macht|ändere|richte|geht|muss|soll) | schritte | anleitung
      | comment | étapes | como | passos | hoe (?:kan|moet|doe|stel|maak|werkt) | stappen`),
  },
  {
    type: "time",
    asks: anyOf(`
      when | what (?:time|year|date|day|month|decade|century) | which (?:year|day|month) | how (?:long|soon|often|late|old) | deadline | opening hours
      | quando | quale? (?:anno|giorno|data|mese|secolo) | (?:che|a che) (?:ora|anno|giorno) | entro | orari[oi]? | cu[aá]ndo | qu[eé] (?:año|d[ií]a|fecha|hora|siglo|d[eé]cada) | horario
      | wann | welche[mns]? (?:jahr|tag|datum|monat|uhrzeit|jahrhundert) | wie (?:lange|oft|spät|alt) | uhr | quand | quelle? (?:année|date|heure|jour|siècle) | horaires?
      | (?:que|qual) (?:ano|dia|data|horas?|século) | wanneer | hoe (?:lang|vaak|laat|oud) | welk (?:jaar|uur) | welke (?:dag|datum)`),
  },
  {
    type: "quantity",
    asks: anyOf(`
      how (?:many|much|far|big|large|fast|high|tall|deep|wide) | what (?:percentage|price|ratio|size|amount) | price | cost | costs | fee | number of
      | quant[oaie] | prezz[oi] | cost[aoi] | costano | tariff[ae] | percentuale | cu[aá]nt[oa]s? | precios? | cuestan? | tarifa | porcentaje
      | wie ?viele? | wie (?:hoch|teuer|groß|weit|schnell) | preise? | kostet | kosten | gebühr | prozent | combien | prix | coûtent? | tarifs? | pourcentage
      | quant[oa]s? | preços? | custam? | percentagem | hoeveel | hoe (?:groot|ver|snel|hoog|duur) | prijs | prijzen | kost`),
  },
  {
    type: "person",
    asks: anyOf(
      "who | whom | whose | chi | qui[eé]n(?:es)? | wer | wem | wen | wessen | qui | quem | wie is | wie zijn",
    ),
  },
];

const EXPECTED_PATTERNS: Readonly<Record<QuestionType, RegExp | null>> = {
  quantity: /\p{N}/u,
  time: /\p{N}/u,
  person: /[\p{L}\p{N},;] +\p{Lu}\p{Ll}/u,
  procedure: null,
};

/** The type of a question, or null when its words do not tell. */
export function questionType(question: string): QuestionType | null {
  return TYPES.find(({ asks }) => asks.test(question.toLowerCase()))?.type ?? null;
}

/** Whether a text contains what this type of question asks for, such as a number or a name. */
export function matchesType(text: string, type: QuestionType | null): boolean {
  return type !== null && (EXPECTED_PATTERNS[type]?.test(text) ?? false);
}

function anyOf(alternatives: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${alternatives.replaceAll(/\s*\|\s*/g, "|").trim()})(?![\\p{L}\\p{N}])`,
    "u",
  );
}
