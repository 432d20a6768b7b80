import { describePolicy } from "@/lib/api-keys/describe-policy.ts";
import type { KeyPolicy } from "@/lib/db/stored-json.ts";

/** Says in words what a key may access. */
export function PolicyWords({ policy }: { policy: KeyPolicy }) {
  const sentences = describePolicy(policy);
  if (sentences.length === 0) return <p>Everything in the knowledge base, with AI answers.</p>;
  return (
    <ul className="grid gap-1">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}.</li>
      ))}
    </ul>
  );
}
