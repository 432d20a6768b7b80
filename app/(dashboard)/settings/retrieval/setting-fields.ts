import type { useActionForm } from "@/components/use-action-form.ts";
import type { RetrievalSettingsForm } from "@/lib/retrieval-settings/schema.ts";

/** The form, as its groups of fields use it. */
export type SettingFields = Pick<
  ReturnType<typeof useActionForm<RetrievalSettingsForm, RetrievalSettingsForm, void>>,
  "form" | "register" | "errorOf"
>;
