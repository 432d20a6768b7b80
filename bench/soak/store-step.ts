import type fc from "fast-check";
import { checkSettled, checkWorld } from "./store-check.ts";
import type * as model from "./store-model.ts";
import type { ModelWorld, RealCompany, RealWorld } from "./store-world.ts";

export type StoreCommand = fc.AsyncCommand<ModelWorld, RealWorld>;

/** One company in the model and in the store, with both worlds. */
export interface Place {
  company: model.CompanyModel;
  own: RealCompany;
  world: ModelWorld;
}

interface Step {
  story: string;
  /** Index of the company. */
  at: number;
  isPossible?(company: model.CompanyModel): boolean;
  run(place: Place): Promise<void>;
  /** True when no job is waiting afterwards. */
  settles?: boolean;
}

/** A step in one company. Afterwards both companies are checked, because one must not affect the other. */
export function step({ story, at, isPossible, run, settles = false }: Step): StoreCommand {
  return {
    check: ({ companies }) => companies[at] !== undefined && (isPossible?.(companies[at]) ?? true),
    async run(world, real) {
      const [company, own] = [world.companies[at], real.companies[at]];
      if (!company || !own) throw new Error("a company is missing");
      await run({ company, own, world });
      await checkWorld(world, real, at);
      if (settles && company.serving === world.model) await checkSettled(company, own);
    },
    toString: () => `${at === 0 ? "One" : "Two"}: ${story}`,
  };
}

/** A step that affects the whole installation. */
export function installation(story: string, run: (world: ModelWorld, real: RealWorld) => Promise<void>): StoreCommand {
  return {
    check: () => true,
    async run(world, real) {
      await run(world, real);
      await checkWorld(world, real);
    },
    toString: () => story,
  };
}
