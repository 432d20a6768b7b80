/**
 * Where the rows of each table are stored once the database is distributed over several servers by Citus.
 * - `company`: on the server of the row's company, by `company_id`. Every statement must name the company.
 * - `everywhere`: a copy on every server, for small tables that are read without knowing the company.
 * - `coordinator`: only on the server that clients connect to.
 */
export type Placement = "company" | "everywhere" | "coordinator";

export const PLACEMENTS: Readonly<Record<string, Placement>> = {
  answer_reports: "company",
  api_keys: "everywhere",
  audit_log: "company",
  chunks: "company",
  companies: "everywhere",
  embedding_models: "everywhere",
  embeddings: "company",
  held_uploads: "company",
  jobs: "coordinator",
  knowledge_calls_daily: "company",
  lexical_blocks: "company",
  lexical_postings: "company",
  memberships: "everywhere",
  meta: "coordinator",
  migrations: "coordinator",
  query_log: "company",
  question_gaps: "company",
  retrieval_trials: "company",
  returned_chunks: "company",
  sessions: "coordinator",
  source_versions: "company",
  sources: "company",
  subscription_history: "company",
  subscriptions: "everywhere",
  suggestions: "company",
  test_questions: "company",
  test_runs: "company",
  usage_daily: "company",
  user_identities: "coordinator",
  user_tokens: "everywhere",
  users: "everywhere",
  version_chunks: "company",
  workers: "coordinator",
};
