"use client";

import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs.tsx";
import type { KnownLabels } from "../label-fields.tsx";
import { AddFiles } from "./add-files.tsx";

const Waiting = () => <Skeleton className="h-80 rounded-lg" />;
const AddText = dynamic(() => import("./add-text.tsx").then((module) => module.AddText), { loading: Waiting });
const AddQuestion = dynamic(() => import("./add-question.tsx").then((module) => module.AddQuestion), {
  loading: Waiting,
});
const ImportQuestions = dynamic(() => import("./import-questions.tsx").then((module) => module.ImportQuestions), {
  loading: Waiting,
});
const ImportExport = dynamic(() => import("./import-export.tsx").then((module) => module.ImportExport), {
  loading: Waiting,
});

const TABS = ["files", "text", "question", "csv", "export"] as const;
const WORDS = {
  files: "Files",
  text: "Text",
  question: "Question and answer",
  csv: "Questions from a file",
  export: "From an export",
};

export interface AddProps {
  known: KnownLabels;
  defaultAudience: string[];
}

export function AddTabs(props: AddProps) {
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(TABS).withDefault("files"));
  return (
    <Tabs
      value={tab}
      onValueChange={(value) => void setTab(TABS.find((name) => name === value) ?? null)}
      className="min-w-0"
    >
      <TabsList aria-label="How to add knowledge">
        {TABS.map((name) => (
          <TabsTrigger key={name} value={name}>
            {WORDS[name]}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value="files">
        <AddFiles {...props} />
      </TabsContent>
      <TabsContent value="text">
        <AddText {...props} />
      </TabsContent>
      <TabsContent value="question">
        <AddQuestion {...props} />
      </TabsContent>
      <TabsContent value="csv">
        <ImportQuestions {...props} />
      </TabsContent>
      <TabsContent value="export">
        <ImportExport />
      </TabsContent>
    </Tabs>
  );
}
