import { CodeBlock } from "@/components/code-block.tsx";
import { passThroughExample } from "@/lib/openapi/stream-examples.ts";
import { Prose } from "./prose.tsx";

const PARTS = [
  ["data-retrieval", "The results, as in JSON, before the answer is written."],
  ["source-url", "One for each result, in their order: `[1]` in the answer cites the first."],
  ["text-delta", "The next sentences of the answer. Their citations and links have been checked."],
  ["reset-step", "Discard the text so far; the answer begins again. Usually the answer model failed."],
  ["data-answer", "The complete answer, with the same text as in JSON."],
  [
    "finish",
    "`messageMetadata` has `requestId`, `degraded`, `truncatedFields` and `answered`, and `verified` for a verified answer.",
  ],
  ["error", "The request failed after its start. `errorText` has the request ID."],
] as const;

/** How to get a response as a stream. */
export function StreamGuide({ example, publicUrl }: { example: string; publicUrl: string }) {
  return (
    <div className="grid gap-3">
      <p className="max-w-prose text-muted">
        <Prose text="Send `Accept: text/event-stream` to get the results immediately, and the answer while it is written. The stream is the AI SDK's UI message stream, which `useChat` reads as it is. Other clients read the `type` of each event. An error before the first event is JSON with its status. Lines that start with a colon keep the connection open." />
      </p>
      <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
        {PARTS.map(([type, meaning]) => (
          <div key={type} className="contents">
            <dt className="font-mono">{type}</dt>
            <dd className="text-muted">
              <Prose text={meaning} />
            </dd>
          </div>
        ))}
      </dl>
      <CodeBlock code={example.trim()} copyLabel="Copy stream" />
      <p className="max-w-prose text-muted">
        Never put an API key in a browser. Add a route to your own server that adds the key and passes the stream on:
      </p>
      <CodeBlock code={passThroughExample(publicUrl)} copyLabel="Copy route" />
    </div>
  );
}
