import { EVIDENCE, type QuestionType } from "./type-evidence.ts";

/** Words of a question by the type they ask for; the first type that matches counts. */
const TYPES: readonly { type: QuestionType; asks: RegExp }[] = [
  {
    type: "phone",
    asks: anyOf(`
      (?:tele)?phone numbers? | (?:fax|hotline) numbers? | what number | which number (?:do|can|should) (?:i|we) (?:call|dial|ring)
      | numero (?:di telefono|verde|di fax) | (?:a )?(?:che|quale) numero | n[uú]mero de (?:tel[eé]fono|telefone|fax) | telefon-?nummer | welcher nummer
      | rufnummer | num[eé]ro de t[eé]l[eé]phone | quel num[eé]ro | telefoonnummer`),
  },
  {
    type: "email",
    asks: anyOf(`
      e-?mail address(?:es)? | (?:which|what) e-?mail | indirizz[oi] (?:di )?(?:e-?mail|posta elettronica) | direcci[oó]n de (?:correo|e-?mail)
      | e-?mail-?adresse | adresse (?:e-?mail|électronique|de courriel) | endereço de e-?mail | e-?mailadres`),
  },
  {
    type: "account",
    asks: anyOf(`
      what(?: is|'s) (?:the|your|their|its) (?:bank account|iban|account number) | (?:which|what) bank account (?:do|can|should|must) (?:i|we)
      | qual è (?:l'|il (?:vostro )?|il tuo )(?:iban|conto corrente|numero di conto) | cuál es (?:el|su|tu) (?:iban|número de cuenta) | wie lautet (?:die|ihre|deine|eure) (?:iban|kontonummer)
      | quel est (?:l'|le |votre )(?:iban|numéro de compte) | qual é o (?:seu )?(?:iban|número da conta) | wat is (?:het|uw|jullie) (?:iban|rekeningnummer)`),
  },
  {
    type: "weight",
    asks: anyOf(`
      weighs? | weighed | how heavy | what weight | weight limit | (?:maximum|minimum) weight | pesa | pesano | pesava | pesan | pesaba | (?:che|quale|qual è il) peso | (?:cuál es el|qué) peso
      | wiegt | wiegen | wie schwer | pèse(?:nt)? | quel (?:est le )?poids | pesam | weegt | hoe zwaar`),
  },
  {
    type: "duration",
    asks: anyOf(`
      how (?:long|soon|quickly|often|late) | how much (?:notice|time) | how many (?:seconds|minutes|hours|(?:working |business )?days|weeks|months|years) | (?:notice|warranty|retention) period
      | (?:per )?quanto tempo | quanto dura | ogni quanto | (?:entro|dopo|in|per) quant[oi] | quant[ie] (?:secondi|minuti|ore|giorni|settimane|mesi|anni) | con quanto preavviso
      | cu[aá]nto (?:tiempo|dura|tarda) | cu[aá]nt[oa]s (?:segundos|minutos|horas|d[ií]as|semanas|meses|años) | en qu[eé] plazo | qu[eé] plazo
      | wie (?:lange|oft|schnell|spät) | wie ?viele (?:sekunden|minuten|stunden|tage|wochen|monate|jahre)n? | welche[rn]? frist | kündigungsfrist
      | combien de (?:temps|secondes|minutes|heures|jours|semaines|mois|ans|années) | quel délai | dans quel délai | quanto tempo | quantos (?:dias|meses|anos) | quantas horas
      | hoe (?:lang|vaak|snel|laat) | hoeveel (?:tijd|dagen|weken|maanden|jaren|uren|uur|jaar) | opzegtermijn`),
  },
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
      when | (?:what|which) (?:time|year|date|day|month|decade|century) | how old | deadline | opening hours
      | quando | quale? (?:anno|giorno|data|mese|secolo) | (?:che|a che) (?:ora|anno|giorno) | in che (?:anno|giorni|data|mese) | entro | orari[oi]? | cu[aá]ndo
      | qu[eé] (?:año|d[ií]a|fecha|hora|siglo|d[eé]cada) | horario | wann | welche[mns]? (?:jahr|tag|datum|monat|uhrzeit|jahrhundert) | wie alt | uhr
      | quand | quelle? (?:année|date|heure|jour|siècle) | horaires? | (?:que|qual) (?:ano|dia|data|horas?|século) | wanneer | welk (?:jaar|uur) | hoe oud | welke (?:dag|datum)`),
  },
  {
    type: "percentage",
    asks: anyOf(`
      what percentage | what (?:share|interest) | interest rate | per ?cent(?:age)? | (?:quale|che) percentuale | percentuale | tasso | qu[eé] porcentaje | porcentaje
      | prozent(?:satz)? | wie ?viel prozent | pourcentage | percentagem | percentage`),
  },
  {
    type: "money",
    asks: anyOf(`
      price | prices | costs? | fees? | what (?:is|are) the (?:\\p{L}+ )?(?:fines?|penalt(?:y|ies)) | how much (?:is|are|do|does|will|would|must|should) | what (?:do|does|did|will|would|must|should) (?:\\p{L}+ ){1,2}(?:(?:have|need) to )?(?:pay|charge) | what (?:is|are|was) the (?:\\p{L}+ )?(?:salar(?:y|ies)|wages?) | prezz[oi] | cost[aoi] | costano | costerà | tariff[ae] | quanto (?:si )?pag\\p{L}*
      | precios? | cuestan? | tarifas? | preise? | kostet | kosten | gebühr(?:en)? | wie teuer | prix | coûtent? | tarifs? | preços? | custam? | prijs | prijzen | kost`),
  },
  {
    type: "quantity",
    asks: anyOf(`
      how (?:many|much|far|big|large|fast|high|tall|deep|wide|heavy) | what (?:ratio|size|amount) | number of | (?:maximum|minimum) (?:\\p{L}+ )?(?:size|number|amount|length|age) | (?:what|which) age
      | (?:che|quale) età | età (?:minima|massima) | qu[eé] edad | edad (?:mínima|máxima) | welche[mn]? alter | mindestalter | quel âge | (?:que|qual) idade | welke leeftijd
      | quant[oaie] | cu[aá]nt[oa]s? | wie ?viele? | wie (?:hoch|groß|weit|schwer) | combien | quant[oa]s? | hoeveel | hoe (?:groot|ver|hoog|zwaar)`),
  },
  {
    type: "person",
    asks: anyOf(
      "who | whom | whose | chi | qui[eé]n(?:es)? | wer | wem | wen | wessen | qui | quem | wie is | wie zijn",
    ),
  },
  {
    type: "address",
    asks: anyOf(`
      (?:what|which) (?:is |are )?(?:the |your |its |their )?(?:(?:postal|street|mailing|return|delivery|billing|web|exact|full) ){0,2}address(?:es)? | (?:qual[ei]?|che) (?:è )?(?:l'|\\p{L}+ ){0,2}indirizz[oi] | (?:cuál|qu[eé]) (?:es )?(?:\\p{L}+ ){0,2}dirección
      | (?:welche|wie lautet|wie ist) (?:\\p{L}+ )?(?:adresse|anschrift) | quelle (?:est )?(?:l'|\\p{L}+ )?adresse | qual (?:é )?(?:\\p{L}+ )?endereço | (?:welk|wat is) (?:\\p{L}+ )?adres`),
  },
  {
    type: "list",
    asks: anyOf(`
      (?:what|which) (?:\\p{L}+ )?(?:are|were) (?:all )?the | what (?:is|are|can) ?(?:not|n't) | what (?:cannot|can't|isn't|aren't) | what (?:do|must|should|can|may) (?:i|we|you) | (?:che )?cosa (?:devo|devono|posso|possono|serve|occorre|non) | qu[eé] (?:necesito|debo|puedo|no) | list (?:all|the|of) | name (?:all|the) | quali | elenc[oa] | cu[aá]les | welche | nenne | quel(?:le)?s (?:sont )? | quais | welke`),
  },
];

const DECISION = anyOf(`
  ^(?:is|are|am|was|were|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had
  | è|sono|posso|può|possono|puoi|possiamo|devo|deve|devono|dobbiamo|si può|si possono|si deve|ho|ha|hanno|c'è|ci sono|esiste|avete
  | es|son|está|puedo|puede|pueden|podemos|debo|debe|deben|hay|tengo|tiene|se puede
  | ist|sind|kann|können|darf|dürfen|muss|müssen|hat|haben|gibt es|wird|werden|soll
  | est-ce|est-il|puis-je|peut-on|pouvons-nous|dois-je|faut-il|y a-t-il|posso|pode|podem|devo|deve|há|tem|é|são
  | zijn|kan|mag|moet|heeft|hebben|wordt)`);

/** The type of a question, or null when its words do not reveal it. */
export function questionType(question: string): QuestionType | null {
  const text = question.toLowerCase().trim();
  if (DECISION.test(text)) return "decision";
  return TYPES.find(({ asks }) => asks.test(text))?.type ?? null;
}

/** The words of a question that say what type of fact it asks for, such as "how much" and "cost"; else none. */
export function typeWords(question: string): string {
  const text = question.toLowerCase();
  const type = questionType(question);
  // "how high is the fee" asks with words of both
  const asked = TYPES.filter((entry) => type !== null && (entry.type === type || entry.type === "quantity"));
  const found = asked.flatMap(({ asks }) =>
    [...text.matchAll(new RegExp(asks, "gu"))].flatMap(([words]) => words.split(" ")),
  );
  return [...new Set(found)].join(" ");
}

/** Whether the question asks for items or for steps. */
export function asksForList(type: QuestionType | null): boolean {
  return type === "list" || type === "procedure";
}

/** Whether nothing without a fact of this type can be the answer. */
export function isStrict(type: QuestionType | null): boolean {
  return type !== null && EVIDENCE[type]?.isRequired === true;
}

/** How surely a text contains what this type of question asks for, such as a number or a name: 0, 0.5 or 1. */
export function typeMatch(text: string, type: QuestionType | null): number {
  const evidence = type === null ? undefined : EVIDENCE[type];
  if (evidence === undefined) return 0;
  if (evidence.certain.test(text)) return 1;
  return evidence.possible?.test(text) === true ? 0.5 : 0;
}

function anyOf(alternatives: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${alternatives.replaceAll(/\s*\|\s*/g, "|").trim()})(?![\\p{L}\\p{N}])`,
    "u",
  );
}
