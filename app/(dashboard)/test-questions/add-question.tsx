"use client";

import FlaskConical from "lucide-react/icons/flask-conical";
import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button, type ButtonVariants } from "@/components/ui/button.tsx";
import type { SaveTestQuestionInput } from "@/lib/test-questions/schema.ts";
import type { KeyOption } from "./key-options.ts";

const QuestionDialog = lazyComponent(() => import("./question-dialog.tsx").then((module) => module.QuestionDialog));

const EMPTY: SaveTestQuestionInput = {
  ...{ id: null, updatedAt: null, question: "", apiKeyId: null, requestId: null },
  ...{ expectedSource: "", excludedSource: "", facts: [], mustRefuse: false },
};

interface AddQuestionProps {
  keys: KeyOption[];
  /** Values that come from a request. */
  values?: Partial<SaveTestQuestionInput>;
  variant?: ButtonVariants["variant"];
}

/** Opens the form of a new test question. */
export function AddQuestion({ keys, values, variant }: AddQuestionProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant={variant} onClick={() => setIsOpen(true)}>
        <FlaskConical aria-hidden />
        Add test question
      </Button>
      {isOpen && <QuestionDialog keys={keys} values={{ ...EMPTY, ...values }} onClose={() => setIsOpen(false)} />}
    </>
  );
}
