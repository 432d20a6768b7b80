import fc from "fast-check";

/** The same cases on every run. PROPERTY_SEED=random tries others; fast-check prints the seed of a failure. */
const given = process.env.PROPERTY_SEED ?? "1";
if (given !== "random") fc.configureGlobal({ seed: Number(given) });

export { fc };
