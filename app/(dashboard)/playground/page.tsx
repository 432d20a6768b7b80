import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { z } from "zod";
import { PageHeader } from "@/components/page-header.tsx";
import { describePolicy } from "@/lib/api-keys/describe-policy.ts";
import { distinctNames } from "@/lib/api-keys/distinct-names.ts";
import { listKeyChoices } from "@/lib/api-keys/service.ts";
import type { Actor } from "@/lib/audit/record.ts";
import { requireLinkedMember } from "@/lib/auth/session.ts";
import { getCompany } from "@/lib/companies/service.ts";
import type { TenantScope } from "@/lib/db/tenant.ts";
import { env } from "@/lib/env.ts";
import { listLabels } from "@/lib/knowledge/browse/list-labels.ts";
import { ownSettingWords } from "@/lib/retrieval-settings/setting-words.ts";
import { askedTest } from "./asked-test.ts";
import { loggedRun, pastRuns } from "./past-run.ts";
import { Playground } from "./playground.tsx";
import type { PlaygroundKey } from "./run.ts";
import { loadPlaygroundParams } from "./search-params.ts";

export const metadata: Metadata = { title: "Playground" };

export default async function PlaygroundPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { q, run, test, company: linked } = await loadPlaygroundParams(searchParams);
  const { scope, actor } = await requireLinkedMember(linked);
  const [keys, labels, history, company, begun, tested] = await Promise.all([
    playgroundKeys(scope, actor),
    listLabels(scope, actor),
    pastRuns(scope, actor),
    getCompany(scope, actor),
    z.uuid().safeParse(run).success && run ? loggedRun(scope, actor, run) : null,
    test === null ? null : askedTest(scope, actor, test),
  ]);
  const missing = run !== null && !begun ? "run" : test !== null && !tested ? "test question" : null;
  return (
    <>
      <PageHeader title="Playground" description="Ask as your systems do, and see why each chunk was found." />
      <Playground
        // remounts when the URL asks for another run, test question or question
        key={run ?? test ?? q}
        keys={keys}
        labels={labels}
        history={history}
        keepsText={!company.hashQueries}
        initial={{ run: begun, test: tested, question: q ?? "", missing }}
        company={{
          useRerank: company.retrievalSettings.useRerank ?? false,
          scoreThreshold: String(company.retrievalSettings.scoreThreshold ?? 0),
          words: ownSettingWords(company.retrievalSettings),
        }}
        url={`${env().publicUrl}/v1/api/rag/retrieve`}
      />
    </>
  );
}

/** The keys that the API accepts, with names and policies in words, without tokens. */
async function playgroundKeys(scope: TenantScope, actor: Actor): Promise<PlaygroundKey[]> {
  const keys = (await listKeyChoices(scope, actor)).filter(
    ({ status }) => status === "active" || status === "retiring",
  );
  const names = distinctNames(keys);
  return keys.map(({ id, name, policy }) => ({
    id,
    name: names.get(id) ?? name,
    policy: describePolicy(policy),
    answers: policy.answers !== false,
  }));
}
