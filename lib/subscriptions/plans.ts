/** A plan that a subscription can have. `requestsPerMonth` null: no allowance. */
export interface Plan {
  id: string;
  name: string;
  description: string;
  requestsPerMonth: number | null;
}

/** The plan of a new company. */
const DEFAULT_PLAN = "unlimited";

export const PLANS: readonly Plan[] = [
  {
    id: "starter",
    name: "Starter",
    description: "One assistant, a few hundred questions a day",
    requestsPerMonth: 10_000,
  },
  { id: "growth", name: "Growth", description: "Several channels and teams", requestsPerMonth: 100_000 },
  { id: "scale", name: "Scale", description: "Every contact of a large company", requestsPerMonth: 1_000_000 },
  { id: DEFAULT_PLAN, name: "Unlimited", description: "Your own server sets the limit", requestsPerMonth: null },
];

/** Returns a plan. An unknown id, of a plan that this release no longer offers, gets a plan without an allowance. */
export function planById(id: string): Plan {
  return PLANS.find((plan) => plan.id === id) ?? { id, name: id, description: "", requestsPerMonth: null };
}
