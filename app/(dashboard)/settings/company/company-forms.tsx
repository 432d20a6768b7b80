"use client";

import { type FormEvent, useState } from "react";
import { Controller } from "react-hook-form";
import { CopyButton } from "@/components/copy-button.tsx";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { TagsInput } from "@/components/ui/tags-input.tsx";
import { SwitchField } from "@/components/ui/toggle-field.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { useServerSettings } from "@/components/use-server-settings.ts";
import { changedSettings } from "@/lib/changed-settings.ts";
import type { CompanySettingsInput } from "@/lib/companies/schema.ts";
import { counted } from "@/lib/counted.ts";
import { SettingsForm } from "../settings-form.tsx";
import { renameCompanyAction, updateCompanySettingsAction } from "./actions.ts";

const ConfirmDialog = lazyComponent(() =>
  import("@/components/confirm-dialog.tsx").then((module) => module.ConfirmDialog),
);

export function NameForm({ id, name }: { id: string; name: string }) {
  const [saved, setSaved] = useState({ name });
  const { form, register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/companies/schema.ts").then(({ companyNameInput }) => companyNameInput),
    renameCompanyAction,
    {
      defaultValues: { name },
      success: "Name saved",
      onSuccess: (_, input) => setSaved(input),
    },
  );
  useServerSettings(form, { name }, [saved, setSaved]);
  return (
    <SettingsForm
      title="General"
      description="The name that members see."
      onSubmit={submit}
      pending={pending}
      error={error}
      note={
        <span className="flex min-w-0 items-center gap-1">
          ID <code className="truncate font-mono text-xs">{id}</code>
          <CopyButton text={id} label="Copy company ID" variant="ghost" />
        </span>
      }
    >
      <Field label="Name" error={errorOf("name")} required>
        {(control) => <Input {...control} {...register("name")} autoComplete="organization" />}
      </Field>
    </SettingsForm>
  );
}

export function KnowledgeForm({ settings }: { settings: Required<CompanySettingsInput> }) {
  const [saved, setSaved] = useState<CompanySettingsInput>(settings);
  const { form, register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/companies/schema.ts").then(({ companySettingsInput }) => companySettingsInput),
    // all settings would undo what another admin has changed since the page was loaded
    (input, page) => {
      const changed = changedSettings(saved, input);
      const shown = changed.queryRetentionDays !== undefined && { shownRetentionDays: saved.queryRetentionDays };
      return updateCompanySettingsAction({ ...changed, ...shown }, page);
    },
    {
      defaultValues: settings,
      success: "Settings saved",
      onSuccess: (_, input) => setSaved((before) => ({ ...before, ...changedSettings(saved, input) })),
    },
  );
  useServerSettings(form, settings, [saved, setSaved]);
  const [fewerDays, setFewerDays] = useState<number | null>(null);

  /** Asks first if saving would delete requests. */
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    const days = form.getValues("queryRetentionDays") ?? Number.NaN;
    if (days < (saved.queryRetentionDays ?? 0) && (await form.trigger())) setFewerDays(days);
    else await submit();
  }

  const settingsForm = (
    <SettingsForm
      title="Knowledge and queries"
      description="Defaults for new sources, and what the log keeps."
      onSubmit={(event) => void save(event)}
      pending={pending}
      error={error}
      note={
        <span>
          Changes apply to new sources and new requests. If you reduce the number of days, older requests are deleted
          within about an hour.
        </span>
      }
    >
      <Field
        label="Default audience"
        hint="For new sources without an audience. Existing sources keep theirs."
        error={errorOf("defaultAudience")}
      >
        {(control) => (
          <Controller
            control={form.control}
            name="defaultAudience"
            render={({ field }) => (
              <TagsInput
                {...control}
                value={field.value ?? []}
                onChange={field.onChange}
                onBlur={field.onBlur}
                suggestions={["ai_agent", "copilot"]}
                placeholder="ai_agent"
              />
            )}
          />
        )}
      </Field>
      <Field
        label="Days to keep requests in the log"
        hint="Older requests are deleted. Daily totals are kept."
        error={errorOf("queryRetentionDays")}
      >
        {(control) => (
          <Input
            {...control}
            {...register("queryRetentionDays", { valueAsNumber: true })}
            type="number"
            min={1}
            max={3650}
            inputMode="numeric"
            className="tabular max-w-32"
          />
        )}
      </Field>
      <Controller
        control={form.control}
        name="hashQueries"
        render={({ field }) => (
          <SwitchField
            label="Keep hashes instead of questions"
            hint="The log then shows that a question was repeated, but not its text. Questions already in the log stay."
            checked={field.value ?? false}
            onCheckedChange={field.onChange}
          />
        )}
      />
      <Controller
        control={form.control}
        name="keepAnswers"
        render={({ field }) => (
          <SwitchField
            label="Keep answers"
            hint={
              form.watch("hashQueries")
                ? "Answers are not kept while the log keeps hashes."
                : "Requests then show their answer and the text it was made from, even after a source has changed. A name that a request gave as context is replaced by “[name]”. Answers already in the log stay."
            }
            checked={(field.value ?? false) && !form.watch("hashQueries")}
            disabled={form.watch("hashQueries")}
            onCheckedChange={field.onChange}
          />
        )}
      />
    </SettingsForm>
  );
  // the dialog is outside the form, which would be submitted with the dialog's
  return (
    <>
      {settingsForm}
      {fewerDays !== null && (
        <ConfirmDialog
          open
          onOpenChange={() => setFewerDays(null)}
          title="Delete older requests?"
          description={
            <p>
              Requests older than {counted(fewerDays, "day")} are deleted from the log within about an hour, with their
              resolved reports and decided suggestions. You cannot undo this. Daily totals are kept.
            </p>
          }
          confirm="Save and delete requests"
          onConfirm={() => {
            setFewerDays(null);
            void submit();
          }}
        />
      )}
    </>
  );
}
