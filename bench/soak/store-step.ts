import type fc from "fast-check";
import { checkSettled, checkWorld } from "./store-check.ts";
import type * as model from "./store-model.ts";
import type { ModelWorld, RealCompany, RealWorld } from "./store-world.ts";

export type StoreCommand = fc.AsyncCommand<ModelWorld, RealWorld>;

/** One company of both worlds, and the world that it is in. */
export interface Place {
  company: model.CompanyModel;
  own: RealCompany;
  world: ModelWorld;
}

interface Step {
  story: string;
  /** Which of the two companies. */
  at: number;
  isPossible?(company: model.CompanyModel): boolean;
  run(place: Place): Promise<void>;
  /** No work waits afterwards. */
  settles?: boolean;
}

/** A step in one company, after which both are compared with the model: what one does must not be seen in the other. */
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

/** A step of the whole installation. */
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
