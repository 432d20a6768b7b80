import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/components/page-header.tsx";
import { Button } from "@/components/ui/button.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import type { ScoreCalibration } from "@/lib/db/stored-json.ts";
import { toSettings } from "@/lib/retrieval-settings/schema.ts";
import { getRetrievalSettings } from "@/lib/retrieval-settings/service.ts";
import { ownSettingWords } from "@/lib/retrieval-settings/setting-words.ts";
import { getCalibration } from "@/lib/score-calibration/service.ts";
import { countTestQuestions } from "@/lib/test-questions/runs.ts";
import { listTrials } from "@/lib/test-questions/trials.ts";
import { verifiedCloseness } from "@/lib/test-questions/verified-closeness.ts";
import { auditQueryString } from "../audit-log/search-params.ts";
import { formChoices } from "./form-choices.ts";
import { RestoreDefaults } from "./restore-defaults.tsx";
import { RetrievalForm } from "./retrieval-form.tsx";
import { ScoreCard } from "./score-card.tsx";
import { SettingList } from "./setting-list.tsx";
import { TrialList } from "./trial-list.tsx";
import { VerifiedCard } from "./verified-card.tsx";

export const metadata: Metadata = { title: "Retrieval" };

export default async function RetrievalSettingsPage() {
  const { scope, actor, role } = await requireMember();
  const [settings, questions, { isOn, calibration, questionsMin }, closeness, trials] = await Promise.all([
    getRetrievalSettings(scope, actor),
    countTestQuestions(scope, actor),
    getCalibration(scope, actor),
    verifiedCloseness(scope, actor),
    listTrials(scope, actor),
  ]);
  const isDefault = ownSettingWords(toSettings(settings)).length === 0;
  const isAdmin = role === "admin";
  return (
    <>
      <PageHeader
        title="Retrieval"
        description="How your company's knowledge is searched and how answers are written. A request that sets rerank or a threshold itself keeps its own value."
        actions={
          isAdmin && (
            <>
              {!isDefault && <RestoreDefaults />}
              <Button variant="secondary" asChild>
                <Link href={`/settings/audit-log${auditQueryString({ action: "company.retrieval_changed" })}`}>
                  History
                </Link>
              </Button>
            </>
          )
        }
      />
      {isAdmin ? (
        <RetrievalForm settings={settings} choices={formChoices()} isDefault={isDefault} questions={questions} />
      ) : (
        <SettingList settings={settings} />
      )}
      <ScoreCard
        isOn={isOn}
        calibration={calibration && withoutCurves(calibration)}
        questionsMin={questionsMin}
        isAdmin={isAdmin}
      />
      <VerifiedCard closeness={closeness} />
      {trials.length > 0 && <TrialList trials={trials} />}
    </>
  );
}

/** The curves are long, and the page does not show them. */
function withoutCurves({ curves: _, ...calibration }: ScoreCalibration) {
  return calibration;
}
