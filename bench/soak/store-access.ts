import fc from "fast-check";
import { revokeKey, rotateKey } from "../../lib/api-keys/service.ts";
import { SYSTEM_ACTOR } from "../../lib/audit/record.ts";
import { cancelSubscription, resumeSubscription } from "../../lib/subscriptions/service.ts";
import { step } from "./store-step.ts";
import { POLICIES } from "./store-world.ts";

const at = fc.nat({ max: 1 });
const key = fc.nat({ max: POLICIES.length - 1 });

const rotate = fc.record({ at, key, overlap: fc.constantFrom("now", "1h") }).map(({ at, key, overlap }) =>
  step({
    at,
    story: `rotates key ${key} with the overlap ${overlap}`,
    async run({ own }) {
      const old = own.keys[key];
      if (!old) return;
      const { id, token } = await rotateKey(own.scope, SYSTEM_ACTOR, { id: old.id, overlap });
      const ends = overlap === "now" ? "at once" : "in an hour";
      own.keys[key] = { ...old, id, token, replaced: { id: old.id, token: old.token, ends } };
    },
  }),
);

const revokeReplaced = fc.record({ at, key }).map(({ at, key }) =>
  step({
    at,
    story: `revokes the key that key ${key} replaced, if there is one`,
    async run({ own }) {
      const replaced = own.keys[key]?.replaced;
      if (!replaced) return;
      await revokeKey(own.scope, SYSTEM_ACTOR, replaced.id);
      replaced.ends = "at once";
    },
  }),
);

const cancel = fc.record({ at, end: fc.constantFrom("now", "period_end") }).map(({ at, end }) =>
  step({
    at,
    story: `cancels its subscription, end: ${end}`,
    isPossible: ({ subscription }) => subscription === "active" || (end === "now" && subscription === "ending"),
    async run({ company, own }) {
      await cancelSubscription(own.scope, SYSTEM_ACTOR, { at: end });
      company.subscription = end === "now" ? "cancelled" : "ending";
    },
  }),
);

const resume = at.map((at) =>
  step({
    at,
    story: "resumes its subscription",
    isPossible: ({ subscription }) => subscription !== "active",
    async run({ company, own }) {
      await resumeSubscription(own.scope, SYSTEM_ACTOR);
      company.subscription = "active";
    },
  }),
);

/** Changes of API keys and of the subscription. */
export const accessChanges = [rotate, revokeReplaced, cancel, resume];
