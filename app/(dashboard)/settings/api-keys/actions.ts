"use server";

import {
  createKeyInput,
  renameKeyInput,
  restrictKeyInput,
  revokeKeyInput,
  rotateKeyInput,
} from "@/lib/api-keys/schema.ts";
import { createKey, renameKey, restrictKey, revokeKey, rotateKey } from "@/lib/api-keys/service.ts";
import { action } from "@/lib/auth/action.ts";

export const createKeyAction = action(
  { name: "key.create", role: "admin", schema: createKeyInput, refresh: false },
  ({ scope, actor, input }) => createKey(scope, actor, input),
);

export const rotateKeyAction = action(
  { name: "key.rotate", role: "admin", schema: rotateKeyInput, refresh: false },
  ({ scope, actor, input }) => rotateKey(scope, actor, input),
);

export const renameKeyAction = action(
  { name: "key.rename", role: "admin", schema: renameKeyInput },
  ({ scope, actor, input }) => renameKey(scope, actor, input),
);

export const restrictKeyAction = action(
  { name: "key.restrict", role: "admin", schema: restrictKeyInput },
  ({ scope, actor, input }) => restrictKey(scope, actor, input),
);

export const revokeKeyAction = action(
  { name: "key.revoke", role: "admin", schema: revokeKeyInput },
  ({ scope, actor, input }) => revokeKey(scope, actor, input.id),
);
