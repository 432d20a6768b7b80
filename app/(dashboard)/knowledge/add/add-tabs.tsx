"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs.tsx";
import type { AddProps } from "./add-props.ts";

const skeleton = <Skeleton className="h-80 rounded-lg" />;
const AddFiles = lazyComponent(() => import("./add-files.tsx").then((module) => module.AddFiles), skeleton);
const AddText = lazyComponent(() => import("./add-text.tsx").then((module) => module.AddText), skeleton);
const AddQuestion = lazyComponent(() => import("./add-question.tsx").then((module) => module.AddQuestion), skeleton);
const ImportQuestions = lazyComponent(
  () => import("./import-questions.tsx").then((module) => module.ImportQuestions),
  skeleton,
);
const ImportExport = lazyComponent(() => import("./import-export.tsx").then((module) => module.ImportExport), skeleton);

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
