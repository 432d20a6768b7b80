import type { Actor } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError } from "../errors.ts";
import { deleteSource, restoreSource } from "./service.ts";

type Work = (id: string) => Promise<unknown>;

/** @returns the sources that were there; the same for the function below */
export async function deleteSources(scope: TenantScope, actor: Actor, ids: string[]): Promise<string[]> {
  return each(ids, (id) => deleteSource(scope, actor, id));
}

export async function restoreSources(scope: TenantScope, actor: Actor, ids: string[]): Promise<string[]> {
  return each(ids, (id) => restoreSource(scope, actor, id));
}

/** One after the other; a source that somebody else has deleted or restored meanwhile is left out. */
async function each(ids: string[], work: Work): Promise<string[]> {
  const done: string[] = [];
  for (const id of ids) {
    try {
      await work(id);
      done.push(id);
    } catch (error) {
      const overtaken = error instanceof AppError && (error.error === "NotFound" || error.error === "Conflict");
      if (!overtaken) throw error;
    }
  }
  return done;
}
