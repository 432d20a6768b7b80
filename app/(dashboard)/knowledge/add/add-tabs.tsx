"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs.tsx";
import type { AddProps } from "./add-props.ts";

const AddFiles = lazy(async () => ({ default: (await import("./add-files.tsx")).AddFiles }));
const AddText = lazy(async () => ({ default: (await import("./add-text.tsx")).AddText }));
const AddQuestion = lazy(async () => ({ default: (await import("./add-question.tsx")).AddQuestion }));
const ImportQuestions = lazy(async () => ({ default: (await import("./import-questions.tsx")).ImportQuestions }));
const ImportExport = lazy(async () => ({ default: (await import("./import-export.tsx")).ImportExport }));

const skeleton = <Skeleton className="h-80 rounded-lg" />;

const TABS = ["files", "text", "question", "csv", "export"] as const;
const WORDS = {
  files: "Files",
  text: "Text",
  question: "Q&A",
  csv: "Q&A from a file",
  export: "From an export",
};

interface AddTabsProps extends AddProps {
  /** The question that the URL prefills. */
  question: string;
}

export function AddTabs(props: AddTabsProps) {
  return (
    <Suspense fallback={skeleton}>
      <LoadedTabs {...props} />
    </Suspense>
  );
}

/** Suspends until the scripts of the first tab have loaded. */
function LoadedTabs({ question, ...props }: AddTabsProps) {
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(TABS).withDefault("files"));
  const [first] = useState(tab);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set([tab]));
  if (!opened.has(tab)) setOpened(new Set([...opened, tab]));
  // an opened tab stays mounted, so that its text and uploads survive a switch to another tab
  const panelProps = (name: string) => ({ name, isFirst: name === first, isOpened: opened.has(name) });
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
      <Panel {...panelProps("files")}>
        <AddFiles {...props} />
      </Panel>
      <Panel {...panelProps("text")}>
        <AddText {...props} />
      </Panel>
      <Panel {...panelProps("question")}>
        <AddQuestion {...props} question={question} />
      </Panel>
      <Panel {...panelProps("csv")}>
        <ImportQuestions {...props} />
      </Panel>
      <Panel {...panelProps("export")}>
        <ImportExport />
      </Panel>
    </Tabs>
  );
}

interface PanelProps {
  name: string;
  isFirst: boolean;
  isOpened: boolean;
  children: ReactNode;
}

/**
 * The first panel has no boundary of its own, so that the tabs cannot be used before its scripts have loaded: if the
 * tab changed around such a boundary, React would discard the text typed into it.
 */
function Panel({ name, isFirst, isOpened, children }: PanelProps) {
  return (
    <TabsContent value={name} {...(isOpened && { forceMount: true as const })}>
      {isFirst ? children : <Suspense fallback={skeleton}>{children}</Suspense>}
    </TabsContent>
  );
}
