import { Card, CardBody } from "@/components/ui/card.tsx";
import { type RetrievalSettingsForm, toSettings } from "@/lib/retrieval-settings/schema.ts";
import { settingWords } from "@/lib/retrieval-settings/setting-words.ts";

/** The settings in words, for people who may not change them. */
export function SettingList({ settings }: { settings: RetrievalSettingsForm }) {
  return (
    <Card>
      <CardBody className="grid gap-4">
        <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
          {settingWords(toSettings(settings)).map(({ name, label, value }) => (
            <div key={name} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
        <p className="text-muted text-sm">Only admins can change these settings.</p>
      </CardBody>
    </Card>
  );
}
