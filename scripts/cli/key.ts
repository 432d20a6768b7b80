import type { Command } from "commander";
import { z } from "zod";
import { createKeyInput, restrictKeyInput, rotateKeyInput } from "../../lib/api-keys/schema.ts";
import { type ApiKey, createKey, listKeys, restrictKey, revokeKey, rotateKey } from "../../lib/api-keys/service.ts";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { companyScope } from "../../lib/companies/service.ts";
import { companyOfKey } from "../../lib/db/system/keys.ts";
import { type TenantScope, tenantScope } from "../../lib/db/tenant.ts";
import { notFound, parseInput } from "../../lib/errors.ts";
import { splitList } from "../../lib/label-text.ts";
import { example, numberOf, run, UsageError } from "./context.ts";

interface LimitOptions {
  expires?: string;
  rateLimit?: string;
  scope?: string[];
  scopes?: string[];
  policy?: string;
}

interface CreateOptions extends LimitOptions {
  company: string;
  name: string;
}

export function keyCommands(key: Command): void {
  const create = key
    .command("create")
    .description("Create a key and print its token, once")
    .requiredOption("--company <id>", "the company")
    .requiredOption("--name <n>", "the key's name")
    .option("--expires <ISO date>", "when the key expires")
    .option("--rate-limit <n>", "requests per minute")
    .option("--scope <s>", "what the key may do: retrieve (default), ingest or manage; repeat for several", oneMore)
    .option("--scopes <list>", "the same as a list: retrieve,ingest", splitList)
    .option("--policy <JSON>", 'what the key may find, for example {"audience":["ai_agent"]}')
    .action((options: CreateOptions, command: Command) =>
      run(command, async () => {
        const scope = await companyScope(options.company);
        const input = parseInput(createKeyInput, {
          name: options.name,
          ...limitsOf(options),
        });
        const made = await createKey(scope, CLI_ACTOR, input);
        return {
          value: { ...publicFields(made), token: made.token },
          lines: [`${made.id}  ${made.name}  ${made.token}`],
        };
      }),
    );
  example(create, `key create --company <id> --name Chatbot --expires 2030-01-31 --policy '{"audience":["ai_agent"]}'`);

  const list = key
    .command("list")
    .description("List the keys of a company, masked")
    .requiredOption("--company <id>", "the company")
    .action((options: { company: string }, command: Command) =>
      run(command, async () => {
        const keys = await listKeys(await companyScope(options.company), CLI_ACTOR);
        return {
          value: keys,
          lines: keys.map(({ id, name, maskedToken, status }) => `${id}  ${maskedToken}  ${status}  ${name}`),
        };
      }),
    );
  example(list, "key list --company <id> --json");

  const restrict = key
    .command("restrict")
    .description("Restrict a key; options that you leave out change nothing")
    .requiredOption("--id <uuid>", "the key")
    .option("--expires <ISO date>", "an earlier expiry")
    .option("--rate-limit <n>", "fewer requests per minute")
    .option("--scope <s>", "a scope that it keeps; repeat for several", oneMore)
    .option("--scopes <list>", "the same as a list: retrieve,ingest", splitList)
    .option("--policy <JSON>", 'a narrower policy, for example {"audience":["ai_agent"]}')
    .action((options: LimitOptions & { id: string }, command: Command) =>
      run(command, async () => {
        const input = parseInput(restrictKeyInput, { id: options.id, ...limitsOf(options) });
        const key = await restrictKey(await scopeOfKey(options.id), CLI_ACTOR, input);
        return { value: key, lines: [`Restricted ${key.id}`] };
      }),
    );
  example(restrict, `key restrict --id <uuid> --policy '{"audience":["ai_agent"]}'`);

  const rotate = key
    .command("rotate")
    .description("Create a new key to replace an old one, which keeps working for the overlap")
    .requiredOption("--id <uuid>", "the old key")
    .option("--overlap <time>", "now, 1h, 24h or 7d", "24h")
    .action((options: { id: string; overlap: string }, command: Command) =>
      run(command, async () => {
        const input = parseInput(rotateKeyInput, options);
        const made = await rotateKey(await scopeOfKey(options.id), CLI_ACTOR, input);
        return {
          value: { ...publicFields(made), token: made.token },
          lines: [`${made.id}  ${made.name}  ${made.token}`],
        };
      }),
    );
  example(rotate, "key rotate --id <uuid> --overlap 1h");

  const revoke = key
    .command("revoke")
    .description("Revoke a key immediately")
    .requiredOption("--id <uuid>", "the key")
    .action((options: { id: string }, command: Command) =>
      run(command, async () => {
        const { id, revokedAt } = await revokeKey(await scopeOfKey(options.id), CLI_ACTOR, options.id);
        return { value: { id, revokedAt }, lines: [`Revoked ${id}`] };
      }),
    );
  example(revoke, "key revoke --id <uuid>");
}

function limitsOf({ expires, rateLimit, scope, scopes, policy }: LimitOptions) {
  return {
    expiresAt: expires,
    rateLimitPerMinute: numberOf(rateLimit),
    scopes: scope && scopes ? [...scope, ...scopes] : (scope ?? scopes),
    policy: policy === undefined ? undefined : parseJson(policy),
  };
}

/** Collects the values of an option that can be repeated. */
function oneMore(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

function publicFields({ id, name, companyId, maskedToken, expiresAt, scopes }: ApiKey) {
  return { id, name, companyId, maskedToken, expiresAt, scopes };
}

async function scopeOfKey(id: string): Promise<TenantScope> {
  const companyId = z.uuid().safeParse(id).success ? await companyOfKey(id) : null;
  if (!companyId) throw notFound(`API key ${id}`);
  return tenantScope(companyId);
}

function parseJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw new UsageError('--policy must be JSON, for example {"audience":["ai_agent"]}');
  }
}
