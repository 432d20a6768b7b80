"use client";

import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { DialogForm } from "@/components/dialog-form.tsx";
import { ErrorMessage } from "@/components/error-message.tsx";
import { errorBesideFields, issueAt } from "@/components/field-errors.ts";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { notify } from "@/components/notify.ts";
import { Dialog, DialogBody, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useAction } from "@/components/use-action.ts";
import { useDiscardQuestion } from "@/components/use-discard-question.tsx";
import type { SourceBody } from "@/lib/db/stored-json.ts";
import { fitsForm } from "@/lib/knowledge/form-content.ts";
import type { AnsweredIn } from "@/lib/knowledge/intake/find-answered.ts";
import { editContentAction, readContentAction } from "../actions.ts";
import { suggestAction } from "../suggestions/actions.ts";

const AnsweredDialog = lazyComponent(() =>
  import("../add/answered-dialog.tsx").then((module) => module.AnsweredDialog),
);

interface Content {
  versionId: string;
  title: string;
  body: SourceBody;
  isVerified: boolean;
}

interface EditContentProps {
  id: string;
  /** Whether the member saves a version, or suggests one to an admin. */
  canEdit: boolean;
  /** The request that showed the problem. */
  requestId: string | null;
  onClose: () => void;
}

/** Edits the text of a source, which it loads first: pages do not contain it. */
export function EditContent({ id, onClose, ...form }: EditContentProps) {
  const [content, setContent] = useState<Content | null>(null);
  const { run, error } = useAction(readContentAction, { onSuccess: setContent });
  const load = useEffectEvent(() => void run({ id }));
  useEffect(() => load(), []);
  const changed = useRef(false);
  const { onOpenChange, question } = useDiscardQuestion(() => changed.current, onClose);
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={form.canEdit ? `Edit ${whatOf(content)}` : `Suggest a change to the ${whatOf(content)}`}
        description={
          form.canEdit
            ? "Saves a new version. If a system sends this source, its next change replaces yours."
            : "An admin reviews your suggestion. It becomes a new version once an admin accepts it."
        }
        className="max-w-3xl"
      >
        {content ? (
          <ContentForm {...form} id={id} content={content} changed={changed} onSaved={onClose} />
        ) : (
          <DialogBody>
            <ErrorMessage>{error}</ErrorMessage>
            {!error && <Skeleton className="h-48 rounded-lg" />}
          </DialogBody>
        )}
        {question}
      </DialogContent>
    </Dialog>
  );
}

/** The shown fields, as paths of the input. */
const TEXT_FIELDS = ["content.title", "content.content"];
const TOO_LONG = "The text is larger than 1 MB. Shorten it, or send it through the API.";
const QUESTION_FIELDS = ["content.question", "content.answer", "content.alternatives"];

interface ContentFormProps extends Omit<EditContentProps, "onClose"> {
  content: Content;
  /** Gets whether the fields differ from the content. */
  changed: RefObject<boolean>;
  onSaved: () => void;
}

function ContentForm({ id, canEdit, requestId, content, changed, onSaved }: ContentFormProps) {
  const { versionId, title, body, isVerified } = content;
  const isQuestion = body.kind === "qa";
  const phrasings = isQuestion ? body.alternatives.join("\n") : "";
  const [name, setName] = useState(title);
  const [text, setText] = useState(textOf(body));
  const [others, setOthers] = useState(phrasings);
  const [note, setNote] = useState("");
  const isChanged = name !== title || text !== textOf(body) || others !== phrasings || note !== "";
  // a layout effect, to take effect before the next key press or click
  useLayoutEffect(() => {
    changed.current = isChanged;
  }, [isChanged, changed]);
  const [answeredIn, setAnsweredIn] = useState<AnsweredIn | null>(null);
  const save = useAction(editContentAction, {
    onSuccess: (outcome) => {
      if ("answeredIn" in outcome) return setAnsweredIn(outcome.answeredIn);
      notify("New version saved");
      onSaved();
    },
  });
  const [isTooLong, setIsTooLong] = useState(false);
  const suggest = useAction(suggestAction, { success: "Suggestion sent", onSuccess: onSaved });
  const { pending, error, issues } = canEdit ? save : suggest;
  const fields = [...(isQuestion ? QUESTION_FIELDS : TEXT_FIELDS), ...(canEdit ? [] : ["note"])];
  const errorOf = (field: string) => issueAt(issues, `content.${field}`);
  const alternatives = others.split("\n").flatMap((line) => line.trim() || []);
  const edited = isQuestion
    ? { kind: "qa" as const, question: name, answer: text, alternatives }
    : { kind: "text" as const, title: name, content: text };
  return (
    <DialogForm
      confirm={canEdit ? "Save version" : "Send suggestion"}
      pending={pending}
      error={isTooLong ? TOO_LONG : errorBesideFields(error, issues, fields)}
      onSubmit={() => {
        const isLong = !fitsForm(edited);
        setIsTooLong(isLong);
        if (isLong) return;
        if (canEdit) void save.run({ id, versionId, content: edited });
        else void suggest.run({ sourceId: id, content: edited, note, requestId });
      }}
    >
      {isVerified && (
        <p className="rounded-md bg-warning-soft px-3 py-2 text-warning">
          This answer is verified. Once it is changed, an admin has to verify it again.
        </p>
      )}
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
      {!canEdit && (
        <Field label="Note for the admin" optional error={issueAt(issues, "note")}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              maxLength={2_000}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          )}
        </Field>
      )}
      {answeredIn && (
        <AnsweredDialog
          existing={answeredIn}
          answer={text}
          pending={save.pending}
          error={save.error}
          onKeepBoth={() => void save.run({ id, versionId, content: edited, keepBoth: true })}
          onClose={() => setAnsweredIn(null)}
        />
      )}
    </DialogForm>
  );
}

function whatOf(content: Content | null): string {
  return content?.body.kind === "qa" ? "question and answer" : "text";
}

function textOf(body: SourceBody): string {
  if (body.kind === "qa") return body.answer;
  return body.kind === "text" ? body.content : "";
}
