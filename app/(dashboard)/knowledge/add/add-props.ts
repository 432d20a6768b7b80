import type { KnownLabels } from "../label-fields.tsx";

/** What every form of this page needs. */
export interface AddProps {
  known: KnownLabels;
  defaultAudience: string[];
}
