"use client";

import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs.tsx";
import type { AddProps } from "./add-props.ts";

const FormSkeleton = () => <Skeleton className="h-80 rounded-lg" />;
const AddFiles = dynamic(() => import("./add-files.tsx").then((module) => module.AddFiles), { loading: FormSkeleton });
const AddText = dynamic(() => import("./add-text.tsx").then((module) => module.AddText), { loading: FormSkeleton });
const AddQuestion = dynamic(() => import("./add-question.tsx").then((module) => module.AddQuestion), {
  loading: FormSkeleton,
});
const ImportQuestions = dynamic(() => import("./import-questions.tsx").then((module) => module.ImportQuestions), {
  loading: FormSkeleton,
});
const ImportExport = dynamic(() => import("./import-export.tsx").then((module) => module.ImportExport), {
  loading: FormSkeleton,
});

const TABS = ["files", "text", "question", "csv", "export"] as const;
const WORDS = {
  files: "Files",
  text: "Text",
  question: "Question and answer",
  csv: "Questions from a file",
  export: "From an export",
};

interface AddTabsProps extends AddProps {
  /** The question that the URL prefills. */
  question: string;
}

export function AddTabs({ question, ...props }: AddTabsProps) {
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(TABS).withDefault("files"));
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set([tab]));
  if (!opened.has(tab)) setOpened(new Set([...opened, tab]));
  // an opened tab stays mounted, so that its text and uploads survive a switch to another tab
  const tabProps = (name: string) => ({ value: name, ...(opened.has(name) && { forceMount: true as const }) });
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
      <TabsContent {...tabProps("files")}>
        <AddFiles {...props} />
      </TabsContent>
      <TabsContent {...tabProps("text")}>
        <AddText {...props} />
      </TabsContent>
      <TabsContent {...tabProps("question")}>
        <AddQuestion {...props} question={question} />
      </TabsContent>
      <TabsContent {...tabProps("csv")}>
        <ImportQuestions {...props} />
      </TabsContent>
      <TabsContent {...tabProps("export")}>
        <ImportExport />
      </TabsContent>
    </Tabs>
  );
}
