import { openAsBlob } from "node:fs";
import { createClient } from "@supabase/supabase-js";
import { fetchWithin } from "./fetch-within.ts";
import { checkCompanyId, checkKey, type ObjectStore, ObjectStoreError } from "./object-store.ts";

export interface SupabaseSettings {
  url: string;
  serviceRoleKey: string;
  bucket: string;
}

/** For a silence; a transfer that goes on may take longer. */
const IDLE_MS = 60_000;
/** Supabase Storage lists and deletes at most as many objects at a time. */
const OBJECTS_AT_ONCE = 1_000;

/** Stores originals in a private bucket of Supabase Storage, which is created when missing. */
export function supabaseObjectStore({ url, serviceRoleKey, bucket }: SupabaseSettings, idleMs = IDLE_MS): ObjectStore {
  const { storage } = createClient(url, serviceRoleKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: (input, init) => fetchWithin(idleMs, input, init) },
  });
  let ready: Promise<void> | null = null;

  async function ensureBucket(): Promise<void> {
    const { data, error } = await storage.getBucket(bucket);
    if (data?.public)
      throw new ObjectStoreError(`The bucket "${bucket}" is public. Make it private, because it holds original files.`);
    if (error === null) return;
    if (!isMissing(error)) throw explain("reached", error);
    const { error: refused } = await storage.createBucket(bucket, { public: false });
    // another server may have created the bucket in the meantime
    if (refused !== null && statusOf(refused) !== 409) throw explain("created", refused);
  }

  function explain(done: string, error: Error): ObjectStoreError {
    const status = statusOf(error);
    if (status === 401 || status === 403) {
      return new ObjectStoreError("Supabase Storage refused the key. Check SUPABASE_SERVICE_ROLE_KEY.", {
        isUnavailable: true,
        cause: error,
      });
    }
    if (status === null) {
      return new ObjectStoreError(`Supabase Storage at ${url} does not respond. Check SUPABASE_URL.`, {
        isUnavailable: true,
        cause: error,
      });
    }
    const message = `The original cannot be ${done} in the bucket "${bucket}" of Supabase Storage: ${error.message}`;
    return new ObjectStoreError(message, { isUnavailable: status >= 500 || status === 429, cause: error });
  }

  function unreadable(key: string, error: Error): ObjectStoreError {
    if (!isMissing(error)) return explain("read", error);
    return new ObjectStoreError(`The original ${key} is missing from the bucket "${bucket}".`, { cause: error });
  }

  /** @returns how many it deleted */
  async function deleteSome(companyId: string): Promise<number> {
    const { data: found, error } = await storage.from(bucket).list(companyId, { limit: OBJECTS_AT_ONCE });
    if (error !== null && !isMissing(error)) throw explain("listed", error);
    const keys = (found ?? []).map(({ name }) => `${companyId}/${name}`);
    if (keys.length === 0) return 0;
    const { data: deleted, error: refused } = await storage.from(bucket).remove(keys);
    if (refused !== null) throw explain("deleted", refused);
    return deleted.length;
  }

  return {
    async put(key, content) {
      checkKey(key);
      ready ??= ensureBucket();
      try {
        await ready;
      } catch (error) {
        ready = null;
        throw error;
      }
      const contentType = "application/octet-stream";
      const body = content instanceof Uint8Array ? content : await openAsBlob(content.path, { type: contentType });
      const { error } = await storage.from(bucket).upload(key, body, { upsert: true, contentType });
      if (error !== null) throw explain("stored", error);
    },
    async get(key) {
      checkKey(key);
      const { data, error } = await storage.from(bucket).download(key);
      if (error === null) return new Uint8Array(await data.arrayBuffer());
      throw unreadable(key, error);
    },
    async open(key) {
      checkKey(key);
      const { data, error } = await storage.from(bucket).download(key).asStream();
      if (error === null) return data;
      throw unreadable(key, error);
    },
    async has(key) {
      checkKey(key);
      const { error } = await storage.from(bucket).info(key);
      if (error !== null && !isMissing(error)) throw explain("looked up", error);
      return error === null;
    },
    async delete(key) {
      checkKey(key);
      const { error } = await storage.from(bucket).remove([key]);
      if (error !== null && !isMissing(error)) throw explain("deleted", error);
    },
    async deleteAll(companyId) {
      checkCompanyId(companyId);
      while ((await deleteSome(companyId)) > 0);
    },
  };
}

/** Supabase Storage answers some missing objects with status 400 and has 404 in the body. */
function isMissing(error: Error): boolean {
  return statusOf(error) === 404 || /not found/i.test(error.message);
}

function statusOf(error: Error): number | null {
  if ("statusCode" in error && Number(error.statusCode) > 0) return Number(error.statusCode);
  return "status" in error && Number(error.status) > 0 ? Number(error.status) : null;
}
