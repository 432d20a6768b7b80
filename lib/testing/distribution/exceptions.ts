/** Statements that need the servers of many companies on purpose. Nothing that a request waits for may be among them. */
export const EXCEPTIONS: { name: string; reason: string; statement: RegExp }[] = [
  {
    name: "readTable",
    reason: "A backup reads every table.",
    statement: /^select row_to_json\(t\)::text as line from/,
  },
  {
    name: "countRows",
    reason: "A backup asks every table for changes.",
    statement: /^with batch as \( select xmin::text::bigint as writer,/,
  },
  {
    name: "versionOriginals",
    reason: "A backup asks for the originals of every company.",
    statement: /^with page as \( select company_id, id, source_id, state <> 'superseded' as live/,
  },
  {
    name: "fillDatabase",
    reason: "A restore fills an empty database, which is distributed afterwards.",
    statement: /^update ragstone\.companies set content_stamp = gen_random_uuid\(\), index_generation/,
  },
  {
    name: "enqueueTestRuns",
    reason: "The worker asks which companies changed. Each server answers for its own.",
    statement: /^select id from \( select c\.id, greatest\(/,
  },
  {
    name: "knowledgeSums",
    reason: "Only tests ask for these sums.",
    statement: /^with served as \( select s\.deleted_at, p\.chunk_id/,
  },
];

/** Tests that leave out the company on purpose, because row-level security must limit such a statement too. */
export const EXEMPT_TESTS = ["lib/db/tenant.integration.test.ts"];
