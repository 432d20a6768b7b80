import type { sourceVersions } from "../db/schema/index.ts";

type Metadata = Pick<typeof sourceVersions.$inferSelect, "metadata" | "givenMetadata">;

/** The metadata of a version that was read from its content and that the caller did not give as well. */
export function readMetadata({ metadata, givenMetadata }: Metadata): Record<string, unknown> {
  if (!givenMetadata) return {};
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !Object.hasOwn(givenMetadata, name)));
}
