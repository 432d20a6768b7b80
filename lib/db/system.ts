import { and, asc, eq, gt, isNotNull, isNull, lt, lte, ne, not, or, sql } from "drizzle-orm";
import { connection, type Transaction } from "./client.ts";
import { EMBEDDING_PARTITIONS, vectorType } from "./schema/embeddings.ts";
import {
  apiKeys,
  companies,
  embeddingModels,
  memberships,
  meta,
  sessions,
  subscriptions,
  userIdentities,
  users,
  userTokens,
} from "./schema/index.ts";
import { simpleQuery } from "./tenant.ts";

type CompanyRow = typeof companies.$inferSelect;
type SubscriptionRow = typeof subscriptions.$inferSelect;
type Identity = Pick<typeof userIdentities.$inferInsert, "issuer" | "subject">;
type TokenKind = (typeof userTokens.$inferSelect)["kind"];

/**
 * Work that has no company yet: a key before its company is known, a person before one is chosen, set-up.
 * The list is closed: a test counts who calls it. Everything else goes through `tenantScope`.
 */
export const system = {
  /** The key of a token's hash with its company's subscription, in the one read that every API request makes. */
  async keyByHash(hash: string) {
    const [row] = await connection()
      .db.select({ key: apiKeys, subscription: subscriptions })
      .from(apiKeys)
      .leftJoin(subscriptions, eq(subscriptions.companyId, apiKeys.companyId))
      .where(eq(apiKeys.hash, hash));
    return row ?? null;
  },

  /** Notes that a key was used, at most once a minute however many servers ask. */
  async touchKey(id: string): Promise<void> {
    await connection()
      .db.update(apiKeys)
      .set({ lastUsedAt: sql`now()` })
      .where(
        and(
          eq(apiKeys.id, id),
          or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, sql`now() - interval '1 minute'`)),
        ),
      );
  },

  async userByEmail(email: string) {
    const [row] = await connection().db.select().from(users).where(eq(users.email, email.toLowerCase()));
    return row ?? null;
  },

  async userById(id: string) {
    const [row] = await connection().db.select().from(users).where(eq(users.id, id));
    return row ?? null;
  },

  async createUser(values: typeof users.$inferInsert) {
    const [row] = await connection()
      .db.insert(users)
      .values({ ...values, email: values.email.toLowerCase() })
      .returning();
    if (!row) throw new Error("insert returned no row");
    return row;
  },

  async updateUser(id: string, values: Partial<typeof users.$inferInsert>): Promise<void> {
    await connection().db.update(users).set(values).where(eq(users.id, id));
  },

  async countUsers(): Promise<number> {
    return connection().db.$count(users);
  },

  /**
   * Counts a try to sign in before its password is looked at, so that tries at the same time count too.
   * @returns the user, or null when there is none or the pause after earlier failures is not over
   */
  async claimSignIn(email: string, rule: { freeTries: number; firstPauseSeconds: number; maxPauseSeconds: number }) {
    const pause = sql`least(${rule.maxPauseSeconds}::float8,
      ${rule.firstPauseSeconds}::float8 * power(2, least(${users.failedSignIns} - ${rule.freeTries}, 20)))`;
    const [row] = await connection()
      .db.update(users)
      .set({
        failedSignIns: sql`${users.failedSignIns} + 1`,
        lockedUntil: sql`case when ${users.failedSignIns} >= ${rule.freeTries} then now() + ${pause} * interval '1 second' end`,
      })
      .where(
        and(eq(users.email, email.toLowerCase()), or(isNull(users.lockedUntil), lte(users.lockedUntil, sql`now()`))),
      )
      .returning();
    return row ?? null;
  },

  /** Ends every session of the user. @returns the version that new sessions carry */
  async raiseSessionVersion(id: string, also: Partial<typeof users.$inferInsert> = {}): Promise<number> {
    const [row] = await connection()
      .db.update(users)
      .set({ ...also, sessionVersion: sql`${users.sessionVersion} + 1` })
      .where(eq(users.id, id))
      .returning({ version: users.sessionVersion });
    if (!row) throw new Error("update found no row");
    return row.version;
  },

  async userByIdentity({ issuer, subject }: Identity) {
    const [row] = await connection()
      .db.select({ user: users })
      .from(userIdentities)
      .innerJoin(users, eq(users.id, userIdentities.userId))
      .where(and(eq(userIdentities.issuer, issuer), eq(userIdentities.subject, subject)));
    return row?.user ?? null;
  },

  /**
   * Links an account with who a person is at their provider. An account that nobody has proven to be theirs loses its
   * password and its sessions with it.
   * @returns false when it is linked with someone else there
   */
  async linkIdentity(userId: string, identity: Identity): Promise<boolean> {
    return connection().db.transaction(async (tx) => {
      const linked = await tx
        .insert(userIdentities)
        .values({ ...identity, userId })
        .onConflictDoNothing()
        .returning({ userId: userIdentities.userId });
      if (linked.length === 0) return false;
      await tx
        .update(users)
        .set({ passwordHash: null, emailProvenAt: sql`now()`, sessionVersion: sql`${users.sessionVersion} + 1` })
        .where(and(eq(users.id, userId), isNull(users.emailProvenAt)));
      return true;
    });
  },

  async unlinkIdentities(userId: string): Promise<void> {
    await connection().db.delete(userIdentities).where(eq(userIdentities.userId, userId));
  },

  /** @returns the id of the new session */
  async createSession(values: typeof sessions.$inferInsert): Promise<string> {
    const [row] = await connection().db.insert(sessions).values(values).returning({ id: sessions.id });
    if (!row) throw new Error("insert returned no row");
    return row.id;
  },

  /** The user of a session that has neither expired nor been ended; null for any other. */
  async userOfSession(session: { id: string; userId: string }) {
    const [row] = await connection()
      .db.select({ user: users })
      .from(sessions)
      .innerJoin(users, and(eq(users.id, sessions.userId), eq(users.sessionVersion, sessions.version)))
      .where(and(eq(sessions.id, session.id), eq(sessions.userId, session.userId), gt(sessions.expiresAt, sql`now()`)));
    return row?.user ?? null;
  },

  async deleteSession(id: string): Promise<void> {
    await connection().db.delete(sessions).where(eq(sessions.id, id));
  },

  /** Deletes the sessions that `userOfSession` no longer answers. */
  async deleteEndedSessions(): Promise<void> {
    const current = sql`exists (select from ${users} where ${users.id} = ${sessions.userId} and ${users.sessionVersion} = ${sessions.version})`;
    await connection()
      .db.delete(sessions)
      .where(or(lte(sessions.expiresAt, sql`now()`), not(current)));
  },

  /** A link that belongs to a person and to no company. */
  async createUserToken(values: Omit<typeof userTokens.$inferInsert, "companyId">): Promise<void> {
    await connection().db.insert(userTokens).values(values);
  },

  async userTokensSince(kind: TokenKind, email: string, since: Date): Promise<number> {
    return connection().db.$count(
      userTokens,
      and(eq(userTokens.kind, kind), eq(userTokens.email, email), gt(userTokens.createdAt, since)),
    );
  },

  /** The link of a token's hash, with its company's name; used and expired ones too. */
  async userToken(kind: TokenKind, hash: string) {
    const [row] = await connection()
      .db.select({ token: userTokens, companyName: companies.name })
      .from(userTokens)
      .leftJoin(companies, eq(companies.id, userTokens.companyId))
      .where(and(eq(userTokens.kind, kind), eq(userTokens.hash, hash)));
    return row ?? null;
  },

  /**
   * Uses a link once: of two that come at the same time, one. What `work` does and the use of the link happen together
   * or not at all. @returns null when the link is unknown, used or expired
   */
  async redeemToken<T>(
    kind: TokenKind,
    hash: string,
    work: (tx: Transaction, token: typeof userTokens.$inferSelect) => Promise<T>,
  ): Promise<T | null> {
    return connection().db.transaction(async (tx) => {
      const [token] = await tx
        .update(userTokens)
        .set({ usedAt: sql`now()` })
        .where(
          and(
            eq(userTokens.kind, kind),
            eq(userTokens.hash, hash),
            isNull(userTokens.usedAt),
            gt(userTokens.expiresAt, sql`now()`),
          ),
        )
        .returning();
      return token ? work(tx, token) : null;
    });
  },

  /** The companies of a person, with the role in each. */
  async membershipsOf(userId: string) {
    return connection()
      .db.select({
        companyId: companies.id,
        name: companies.name,
        isSample: companies.isSample,
        role: memberships.role,
      })
      .from(memberships)
      .innerJoin(companies, eq(companies.id, memberships.companyId))
      .where(eq(memberships.userId, userId))
      .orderBy(asc(companies.name), asc(companies.id));
  },

  async listCompanies() {
    return connection().db.select().from(companies).orderBy(asc(companies.createdAt), asc(companies.id));
  },

  /** A company with its subscription: `ACTIVE`, with no end. `also` writes in the same transaction, `first` before. */
  async createCompany(
    values: typeof companies.$inferInsert,
    also: (tx: Transaction, created: { company: CompanyRow; subscription: SubscriptionRow }) => Promise<void>,
    first?: (tx: Transaction) => Promise<void>,
  ): Promise<CompanyRow> {
    return connection().db.transaction(async (tx) => {
      await first?.(tx);
      const [company] = await tx.insert(companies).values(values).returning();
      if (!company) throw new Error("insert returned no row");
      const [subscription] = await tx.insert(subscriptions).values({ companyId: company.id }).returning();
      if (!subscription) throw new Error("insert returned no row");
      await also(tx, { company, subscription });
      return company;
    });
  },

  /**
   * The last row of a company, once its scope has emptied the tables. `rest` deletes what was written since: nobody
   * writes any more meanwhile. @returns whether it was there
   */
  async deleteCompany(id: string, rest?: (tx: Transaction) => Promise<void>): Promise<boolean> {
    return connection().db.transaction(async (tx) => {
      await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, id)).for("update");
      await rest?.(tx);
      const rows = await tx.delete(companies).where(eq(companies.id, id)).returning({ id: companies.id });
      return rows.length > 0;
    });
  },

  /** Whose key it is, for an operator who names the key alone. */
  async companyOfKey(id: string): Promise<string | null> {
    const [row] = await connection()
      .db.select({ companyId: apiKeys.companyId })
      .from(apiKeys)
      .where(eq(apiKeys.id, id));
    return row?.companyId ?? null;
  },

  /** Rejects when the database does not answer. */
  async ping(): Promise<void> {
    await connection().db.execute(sql`select 1`);
  },

  async getMeta(key: string): Promise<unknown> {
    const [row] = await connection().db.select({ value: meta.value }).from(meta).where(eq(meta.key, key));
    return row?.value ?? null;
  },

  async setMeta(key: string, value: unknown): Promise<void> {
    await connection().db.insert(meta).values({ key, value }).onConflictDoUpdate({ target: meta.key, set: { value } });
  },

  /** The companies whose vectors were made by another model than this one. */
  async companiesOfOtherModels(modelId: number) {
    return connection()
      .db.select({ id: companies.id })
      .from(companies)
      .where(and(isNotNull(companies.embeddingModelId), ne(companies.embeddingModelId, modelId)));
  },

  async embeddingModel(id: number) {
    const [row] = await connection().db.select().from(embeddingModels).where(eq(embeddingModels.id, id));
    return row ?? null;
  },

  /** The number of an embedding model; a new one gets an HNSW index in every partition, empty as yet. */
  async registerEmbeddingModel(name: string, dimensions: number): Promise<number> {
    return connection().db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('embedding_models', 0))`);
      const [known] = await tx.select().from(embeddingModels).where(eq(embeddingModels.name, name));
      if (known && known.dimensions !== dimensions) {
        throw new Error(
          `${name} made vectors of ${known.dimensions} dimensions before, not ${dimensions}. Use another model name, or the same dimensions.`,
        );
      }
      if (known) return known.id;
      const [made] = await tx.insert(embeddingModels).values({ name, dimensions }).returning();
      if (!made) throw new Error("insert returned no row");
      await simpleQuery(tx, vectorIndexes(made));
      return made.id;
    });
  },
};

/** Statements that make a model's indexes. pgvector indexes `vector` up to 2,000 dimensions and `halfvec` up to 4,000; beyond, every search is exact. */
export function vectorIndexes({ id, dimensions }: { id: number; dimensions: number }): string {
  if (dimensions > 4_000) return "";
  const type = vectorType(dimensions);
  return Array.from(
    { length: EMBEDDING_PARTITIONS },
    (_, part) =>
      `create index if not exists embeddings_${part}_model_${id} on ragstone.embeddings_${part}
         using hnsw ((embedding::${type}(${dimensions})) ${type}_ip_ops) where model_id = ${id};`,
  ).join("\n");
}
