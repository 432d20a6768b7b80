import { generateToken } from "../../lib/api-keys/key.ts";
import { createKey, revokeKey } from "../../lib/api-keys/service.ts";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { percentiles } from "../measure.ts";
import type { Tenant } from "./product.ts";

/**
 * How much longer the refusal of a revoked key takes than the refusal of an unknown key, in milliseconds between the
 * medians of `rounds` alternating requests each.
 */
export async function revokedKeyDelay(url: string, { scope }: Tenant, rounds: number): Promise<number> {
  const revoked = await createKey(scope, CLI_ACTOR, { name: "revoked" });
  await revokeKey(scope, CLI_ACTOR, revoked.id);
  const unknown = generateToken();
  const times = new Map<string, number[]>([
    [unknown, []],
    [revoked.token, []],
  ]);
  for (let round = 0; round < rounds; round++) {
    for (const [token, ms] of times) {
      const started = performance.now();
      const response = await fetch(`${url}/v1/api/status`, { headers: { Authorization: `Bearer ${token}` } });
      await response.arrayBuffer();
      ms.push(performance.now() - started);
    }
  }
  return percentiles(times.get(revoked.token) ?? []).p50 - percentiles(times.get(unknown) ?? []).p50;
}
