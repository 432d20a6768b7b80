"use client";

import { CopyButton } from "@/components/copy-button.tsx";
import { requestExamples } from "@/lib/openapi/request-examples.ts";
import { type RequestForm, readMetadata, toRequest } from "./form.ts";

/** Copies the current request as code, which reads the key from the environment. */
export function CopyAs({ form, url }: { form: RequestForm; url: string }) {
  if (readMetadata(form.metadata) === null) {
    return <p className="text-muted text-sm">Correct the metadata filter first: it is not valid JSON.</p>;
  }
  const examples = requestExamples({ url, method: "POST", body: toRequest(form) });
  return (
    <div className="-mx-2 flex flex-wrap">
      {Object.entries(examples).map(([name, code]) => (
        <CopyButton
          key={name}
          text={code}
          label={name}
          labelled
          variant="ghost"
          className="h-8 gap-1.5 px-2 text-sm max-sm:h-11"
        />
      ))}
    </div>
  );
}
