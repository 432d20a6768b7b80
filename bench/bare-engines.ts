import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import postgres from "postgres";
import { cpuMsOf, tree } from "./server.ts";

/** A chunk as every engine stores it. */
export interface BareRow {
  company: number;
  ordinal: number;
  content: string;
  audience: string;
  /** A vector literal. */
  embedding: string;
}

export interface Query {
  company: number;
  text: string;
  vector: Float32Array;
  audience: string | null;
}

export interface Engine {
  name: string;
  /** The name of the bare engine to compare with. */
  bare?: string;
  ask(query: Query): Promise<void>;
  /** Milliseconds of processor time that the engine's processes have used. */
  cpuMs(): number;
}

interface BareServer extends Engine {
  serverCpuMs(): number;
}

const RESULTS = 10;
const ROWS_PER_INSERT = 200;

type Run = (statement: string, parameters?: string[]) => Promise<unknown>;

/** pgvector without anything else: one partition and one HNSW index per company. */
export async function barePostgres(url: string, rows: BareRow[]): Promise<BareServer> {
  const sql = postgres(url, { max: 8, onnotice: () => undefined });
  await fill((statement, parameters) => sql.unsafe(statement, parameters), rows);
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  // the server started the connection's process
  const server = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${backend?.pid}/status`, "utf8"))?.[1]);
  const serverCpuMs = () => cpuMsOf(tree(server));
  return {
    name: "bare pgvector",
    ask: async (query) => void (await sql.unsafe(searchOf(query), [...parametersOf(query)])),
    cpuMs: () => serverCpuMs() + ownCpuMs(),
    serverCpuMs,
  };
}

/** PGlite without anything else, in this process. */
export async function barePglite(rows: BareRow[]): Promise<Engine> {
  const db = await PGlite.create({ extensions: { vector } });
  await fill((statement, parameters) => db.query(statement, parameters), rows);
  return {
    name: "bare PGlite",
    ask: async (query) => void (await db.query(searchOf(query), parametersOf(query))),
    cpuMs: ownCpuMs,
  };
}

/** Processor time of this process, which also sends the requests. */
function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function fill(run: Run, rows: BareRow[]): Promise<void> {
  const dimensions = rows[0]?.embedding.split(",").length ?? 0;
  await run("create extension if not exists vector");
  await run("drop table if exists bare_chunks");
  await run(`create table bare_chunks (company int, ordinal int, content text, audience text,
    embedding vector(${dimensions}), primary key (company, ordinal)) partition by list (company)`);
  for (const company of new Set(rows.map((row) => row.company))) {
    await run(`create table bare_chunks_${company} partition of bare_chunks for values in (${company})`);
  }
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const batch = JSON.stringify(rows.slice(start, start + ROWS_PER_INSERT));
    await run(
      `insert into bare_chunks select company, ordinal, content, audience, embedding::vector
        from json_to_recordset($1::text::json) as row (company int, ordinal int, content text, audience text, embedding text)`,
      [batch],
    );
  }
  await run("create index on bare_chunks using hnsw (embedding vector_ip_ops)");
  await run("analyze bare_chunks");
}

function searchOf({ company, audience }: Query): string {
  return `select ordinal, content from bare_chunks where company = ${company} ${audience ? "and audience = $2" : ""}
    order by embedding <#> $1::vector limit ${RESULTS}`;
}

export function vectorText(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}

function parametersOf({ vector, audience }: Query): string[] {
  return [vectorText(vector), ...(audience ? [audience] : [])];
}
