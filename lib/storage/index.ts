import { env } from "../env.ts";
import { dataPaths } from "../paths.ts";
import { localObjectStore } from "./local.ts";
import type { ObjectStore } from "./object-store.ts";
import { type SupabaseSettings, supabaseObjectStore } from "./supabase.ts";

export { type Content, isKey, nullIfLost, type ObjectStore, ObjectStoreError } from "./object-store.ts";

/** The bucket when one is configured, otherwise the folder `files` of the data directory. */
function createObjectStore(settings: { dataDir: string; supabase: SupabaseSettings | null }): ObjectStore {
  if (settings.supabase !== null) return supabaseObjectStore(settings.supabase);
  const { files, incoming } = dataPaths(settings.dataDir);
  return localObjectStore(files, incoming);
}

let shared: ObjectStore | null = null;

/** The object store that the environment configures. */
export function objectStore(): ObjectStore {
  shared ??= createObjectStore(env());
  return shared;
}
