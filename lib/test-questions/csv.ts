import { requireMembership } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import { csvLine, csvText } from "../csv.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError } from "../errors.ts";
import { type FileInput, readSheets } from "../knowledge/parse/index.ts";
import { columnPlaces } from "../knowledge/parse/wanted-rows.ts";
import { TEST_QUESTIONS_MAX, type TestQuestionInput, testQuestionInput } from "./schema.ts";
import { addTestQuestions, allTestQuestions } from "./service.ts";

/** Each fact of a cell has its own line. */
const COLUMNS = ["question", "expectedSource", "excludedSource", "facts", "mustRefuse"];
const YES = /^(?:yes|true|1|x)$/i;
const ERRORS_SHOWN = 5;

/** The test questions as a CSV file. Leaves out keys and filters, which differ between companies. */
export async function testQuestionsAsCsv(scope: TenantScope, actor: Actor): Promise<string> {
  const questions = await allTestQuestions(scope, actor);
  const lines = questions.map(({ question, expectedSource, excludedSource, facts, mustRefuse }) =>
    csvLine([question, expectedSource, excludedSource, facts.join("\n"), mustRefuse ? "yes" : null]),
  );
  return csvLine(COLUMNS) + lines.join("");
}

/** The outcome of an import. */
export interface TestImport {
  added: number;
  /** Rows that already exist. */
  known: number;
  /** Number of invalid rows, which were skipped. */
  invalid: number;
  /** The first of them, each with its row and reason. */
  errors: string[];
}

/**
 * Adds the test questions of a CSV file or an Excel workbook, and skips invalid rows.
 * @throws {AppError} ValidationError when the file has no column `question`
 * @throws {UnreadableFile} when the file cannot be read, or has more rows than a company can have test questions
 */
export async function importTestQuestions(scope: TenantScope, actor: Actor, file: FileInput): Promise<TestImport> {
  requireMembership(scope, actor);
  const valid: TestQuestionInput[] = [];
  const errors: string[] = [];
  const wanted = { columns: ["question"], rowsMax: TEST_QUESTIONS_MAX, sheetsMax: 1 };
  const [sheet] = await readSheets({ ...file, companyId: scope.companyId }, wanted);
  const [header, ...rows] = sheet?.rows ?? [];
  const places = columnPlaces(header?.cells ?? []);
  if (!places.has("question")) {
    throw new AppError("ValidationError", `The file has no column “question”. The columns are ${COLUMNS.join(", ")}.`);
  }
  for (const { row, cells } of rows) {
    const parsed = testQuestionInput.safeParse(inputOf(places, cells));
    if (parsed.success) valid.push(parsed.data);
    else errors.push(`Row ${row}: ${parsed.error.issues[0]?.path.join(".")} ${parsed.error.issues[0]?.message}`);
  }
  const outcome = await addTestQuestions(scope, actor, valid);
  return { ...outcome, invalid: errors.length, errors: errors.slice(0, ERRORS_SHOWN) };
}

function inputOf(places: ReadonlyMap<string, number>, cells: string[]) {
  const cell = (name: string) => csvText(cells[places.get(name.toLowerCase()) ?? -1] ?? "").trim();
  return {
    question: cell("question"),
    expectedSource: cell("expectedSource"),
    excludedSource: cell("excludedSource"),
    facts: cell("facts")
      .split(/\r?\n/)
      .filter((fact) => fact.trim() !== ""),
    mustRefuse: YES.test(cell("mustRefuse")),
  };
}
