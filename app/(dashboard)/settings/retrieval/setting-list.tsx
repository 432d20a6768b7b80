import { Card, CardBody } from "@/components/ui/card.tsx";
import { type RetrievalSettingsForm, toSettings } from "@/lib/retrieval-settings/schema.ts";
import { settingWords } from "@/lib/retrieval-settings/setting-words.ts";

/** The settings in words, for people who may not change them. */
export function SettingList({ settings }: { settings: RetrievalSettingsForm }) {
  const words = settingWords(toSettings(settings));
  const rows = [
    ["Rerank by default", words.useRerank],
    ["Score threshold by default", words.scoreThreshold],
    ["Vector and keyword search", words.vectorWeight],
    ["Refusal text", words.refusalText],
    ["Answer style", words.answerStyle],
    ["Answer language", words.answerLanguage],
  ];
  return (
    <Card>
      <CardBody className="grid gap-4">
        <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
          {rows.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
        <p className="text-muted text-sm">Only admins can change these settings.</p>
      </CardBody>
    </Card>
  );
}
