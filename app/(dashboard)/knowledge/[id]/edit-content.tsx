"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { DialogForm } from "@/components/dialog-form.tsx";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Dialog, DialogBody, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useAction } from "@/components/use-action.ts";
import type { SourceBody } from "@/lib/db/stored-json.ts";
import { editContentAction, readContentAction } from "../actions.ts";

interface Content {
  versionId: string;
  title: string;
  body: SourceBody;
}

interface EditContentProps {
  id: string;
  onClose: () => void;
}

/** Edits the text of a source, which it loads first: pages do not contain it. */
export function EditContent({ id, onClose }: EditContentProps) {
  const [content, setContent] = useState<Content | null>(null);
  const { run, error } = useAction(readContentAction, { onSuccess: setContent });
  const load = useEffectEvent(() => void run({ id }));
  useEffect(() => load(), []);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={content?.body.kind === "qa" ? "Edit question and answer" : "Edit text"}
        description="Saves a new version. If a system sends this source, its next change replaces yours."
        className="max-w-3xl"
      >
        {content ? (
          <ContentForm id={id} content={content} onSaved={onClose} />
        ) : (
          <DialogBody>
            <ErrorMessage>{error}</ErrorMessage>
            {!error && <Skeleton className="h-48 rounded-lg" />}
          </DialogBody>
        )}
      </DialogContent>
    </Dialog>
  );
}

interface ContentFormProps {
  id: string;
  content: Content;
  onSaved: () => void;
}

function ContentForm({ id, content: { versionId, title, body }, onSaved }: ContentFormProps) {
  const [name, setName] = useState(title);
  const [text, setText] = useState(textOf(body));
  const [others, setOthers] = useState(body.kind === "qa" ? body.alternatives.join("\n") : "");
  const isQuestion = body.kind === "qa";
  const { run, pending, error, issues } = useAction(editContentAction, {
    success: "New version saved",
    onSuccess: onSaved,
  });
  const errorOf = (field: string) => issues.find(({ path }) => path === `content.${field}`)?.message;
  return (
    <DialogForm
      confirm="Save version"
      pending={pending}
      error={issues.length > 0 ? null : error}
      onSubmit={() => {
        const alternatives = others.split("\n").flatMap((line) => line.trim() || []);
        const content = isQuestion
          ? { kind: "qa" as const, question: name, answer: text, alternatives }
          : { kind: "text" as const, title: name, content: text };
        void run({ id, versionId, content });
      }}
    >
      <Field label={isQuestion ? "Question" : "Title"} error={errorOf(isQuestion ? "question" : "title")} required>
        {(control) => (
          <Input {...control} value={name} autoComplete="off" onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <Field label={isQuestion ? "Answer" : "Text"} error={errorOf(isQuestion ? "answer" : "content")} required>
        {(control) => (
          <Textarea
            {...control}
            className="max-h-[50vh] min-h-40"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {isQuestion && (
        <Field label="Other phrasings" optional error={errorOf("alternatives")} hint="One per line.">
          {(control) => <Textarea {...control} value={others} onChange={({ target }) => setOthers(target.value)} />}
        </Field>
      )}
    </DialogForm>
  );
}

function textOf(body: SourceBody): string {
  if (body.kind === "qa") return body.answer;
  return body.kind === "text" ? body.content : "";
}
