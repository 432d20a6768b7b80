"use client";

import Pencil from "lucide-react/icons/pencil";
import { type ReactNode, useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { countText } from "@/lib/counted.ts";
import type { SourceDetails } from "@/lib/knowledge/browse/source-page.ts";
import { joinPath } from "@/lib/label-text.ts";
import type { KnownLabels } from "../label-fields.tsx";

const EditLabels = lazyComponent(() => import("./edit-labels.tsx").then((module) => module.EditLabels));

interface SourceLabelsProps {
  source: SourceDetails;
  canEdit: boolean;
  known: KnownLabels;
}

/** The labels, metadata, alternative questions and file of a source. */
export function SourceLabels({ source, canEdit, known }: SourceLabelsProps) {
  const [isEditing, setEditing] = useState(false);
  const { audience, category, path, metadata, alternatives, file } = source;
  return (
    <Card>
      <CardHeader
        title="Labels"
        actions={
          canEdit && (
            <Button
              variant="ghost"
              size="icon-sm"
              className="-my-1.5"
              aria-label="Edit labels"
              onClick={() => setEditing(true)}
            >
              <Pencil aria-hidden />
            </Button>
          )
        }
      />
      <CardBody>
        <dl className="grid gap-3">
          <Entry term="Audience">
            <span className="flex flex-wrap gap-1">
              {audience.length === 0 && <span className="text-muted">None</span>}
              {audience.map((each) => (
                <Badge key={each}>{each}</Badge>
              ))}
            </span>
          </Entry>
          <Entry term="Category">{category}</Entry>
          {path.length > 0 && <Entry term="Path">{joinPath(path)}</Entry>}
          {file && <Entry term="File">{`${file.name}, ${countText(Math.ceil(file.bytes / 1024))} kB`}</Entry>}
          {alternatives.length > 0 && (
            <Entry term="Other phrasings">
              <ul className="grid gap-1">
                {alternatives.map((each) => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            </Entry>
          )}
          {Object.entries(metadata).map(([name, value]) => (
            <Entry key={name} term={name}>
              {typeof value === "string" ? value : JSON.stringify(value)}
            </Entry>
          ))}
        </dl>
      </CardBody>
      {isEditing && <EditLabels source={source} known={known} onClose={() => setEditing(false)} />}
    </Card>
  );
}

function Entry({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-muted text-sm">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
