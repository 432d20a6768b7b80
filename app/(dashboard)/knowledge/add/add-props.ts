import type { KnownLabels } from "../label-fields.tsx";

/** Props of every form on this page. */
export interface AddProps {
  known: KnownLabels;
  defaultAudience: string[];
}
