import { z } from "zod";
import { AppError } from "../errors.ts";
import { dayInput } from "../instant.ts";
import { jsonOrNull } from "../json-or-null.ts";
import { readLines } from "../read-lines.ts";
import { shortened } from "../text.ts";
import { textInput } from "../text-input.ts";
import type { GivenFile } from "./intake/add.ts";
import { documentInput, type SourceInput, sourceInput } from "./intake/source-input.ts";
import { SOURCE_ID_MAX } from "./values.ts";

/**
 * An export is JSON lines: this header, then one source per line as in a bulk file. For a file, `base64` holds the original
 * instead of title and content. An attachment with labels of its own follows its email, which `attachedTo` names; others
 * are read from the email again. A verified answer has `verification`. Row ids, company ids and vectors are left out because
 * an import creates new ones.
 */
export const EXPORT_HEADER = { format: "ragstone-knowledge", version: 1 } as const;
const exportHeader = z.object({ format: z.literal(EXPORT_HEADER.format), version: z.unknown() });
const sourceId = textInput(`must be a text of 1 to ${SOURCE_ID_MAX} characters`)
  .min(1, "must not be empty")
  .max(SOURCE_ID_MAX, `must have at most ${SOURCE_ID_MAX} characters`);
const fileLine = documentInput.omit({ title: true, content: true }).extend({
  sourceType: z.literal("document", 'must be "document"'),
  sourceId,
  attachedTo: sourceId.optional(),
  base64: z.base64("must be a file in base64"),
});

/** Stands for a verification that is not in the form of an export. */
export const UNREADABLE = "unreadable";
const verificationLine = z.object({
  verification: z
    .object({ by: textInput().min(1).max(500), until: dayInput.nullable() })
    .or(z.literal(UNREADABLE))
    .optional()
    .catch(UNREADABLE),
});
type ExportedVerification = z.output<typeof verificationLine>["verification"];

/** Enough for an original of 50 MB as base64. */
const LINE_BYTES_MAX = 80 * 1024 * 1024;
/** Of one email: as many as one transaction adds with it, so that no worker reads the email before it has all of them. */
const ATTACHMENTS_MAX = 199;

/** Characters of an identifier that an error quotes. */
const NAME_MAX = 100;
/** What to do about a line that was changed by hand or damaged. */
const CORRECT_LINE = "Correct this line or export again, then repeat the import.";
const LEAVE_OUT = "Remove this line, repeat the import, and add the file by itself.";
const OTHER_FILE = "Choose a file from “Export everything” or from the command line.";

export interface ExportedFile {
  kind: "file";
  file: Extract<GivenFile, { bytes: Uint8Array }>;
  attachedTo: string | undefined;
}

export interface ExportedText {
  kind: "source";
  source: SourceInput;
  verification: ExportedVerification;
  bytes: number;
}

/** A line of an export. */
export type ExportedSource = ExportedFile | ExportedText;

/** The sources of an export. Empty lines are skipped. @throws {AppError} ValidationError that names the line */
export async function* readExport(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ExportedSource> {
  let headed = false;
  let email: string | undefined;
  let attached = 0;
  for await (const line of readLines(bytes, LINE_BYTES_MAX)) {
    if (line.error !== undefined) throw refused(line, line.error);
    if (line.text.trim() === "") continue;
    const value = jsonOrNull(line.text);
    if (headed) {
      const source = parseSource(line, value);
      if (source.kind === "file") {
        const follows = source.attachedTo !== undefined && source.attachedTo === email;
        if (!follows) email = source.file.sourceId;
        attached = follows ? attached + 1 : 0;
      }
      if (attached > ATTACHMENTS_MAX)
        throw refused(line, `an email has more than ${ATTACHMENTS_MAX} attachments`, LEAVE_OUT);
      yield source;
    } else requireHeader(line, value);
    headed = true;
  }
  if (!headed) throw refused({ row: 1 }, "the file is empty", OTHER_FILE);
}

function requireHeader(line: Line, value: unknown): void {
  const header = exportHeader.safeParse(value).data;
  if (!header) throw refused(line, "the file is not a Ragstone export", OTHER_FILE);
  if (header.version === EXPORT_HEADER.version) return;
  throw refused(line, "another version of Ragstone made this export", "Import it into a Ragstone of that version.");
}

function parseSource({ row, text }: { row: number; text: string }, value: unknown): ExportedSource {
  if (value === null) throw refused({ row }, "the line is not valid JSON");
  const line = { row, sourceId: z.looseObject({ sourceId: z.string() }).safeParse(value).data?.sourceId };
  const isFile = typeof value === "object" && value !== null && "base64" in value;
  const parsed = isFile ? fileLine.safeParse(value) : sourceInput.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refused(line, `${issue?.path.join(".")} ${issue?.message}`.trim());
  }
  if (!("base64" in parsed.data)) {
    const verification = parsed.data.sourceType === "qa" ? verificationLine.parse(value).verification : undefined;
    return { kind: "source", source: parsed.data, verification, bytes: Buffer.byteLength(text) };
  }
  const { base64, sourceType: _, attachedTo, ...labels } = parsed.data;
  if (attachedTo === labels.sourceId) throw refused(line, "the file is attached to itself");
  return { kind: "file", file: { ...labels, bytes: Buffer.from(base64, "base64") }, attachedTo };
}

interface Line {
  row: number;
  /** As the line gives it. */
  sourceId?: string | undefined;
}

function refused({ row, sourceId }: Line, reason: string, next = CORRECT_LINE): AppError {
  const where = sourceId === undefined ? "" : ` (source ${shortened(sourceId, NAME_MAX)})`;
  const message = `Line ${row}${where}: ${reason}. Nothing was imported. ${next}`;
  return new AppError("ValidationError", message, { fields: { issues: [{ path: String(row), message: reason }] } });
}
