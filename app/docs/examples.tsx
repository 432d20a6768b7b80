import { CodeBlock } from "@/components/code-block.tsx";
import { answerRequestExample, answerResponseExample, statusResponseExample } from "@/lib/openapi-examples.ts";
import type { Operation } from "@/lib/openapi-reference.ts";

interface ExamplesProps {
  operation: Operation;
  publicUrl: string;
}

export function Examples({ operation, publicUrl }: ExamplesProps) {
  const hasBody = operation.request.length > 0;
  const call: Call = {
    url: publicUrl + operation.path,
    method: operation.method,
    body: hasBody ? JSON.stringify(answerRequestExample, null, 2) : null,
  };
  const response = hasBody ? answerResponseExample : statusResponseExample;
  return (
    <div className="grid gap-3">
      <Example title="curl" code={curl(call)} />
      <Example title="TypeScript" code={typescript(call)} />
      <Example title="Python" code={python(call)} />
      <Example title="Response" code={JSON.stringify(response, null, 2)} />
    </div>
  );
}

interface Call {
  url: string;
  method: string;
  body: string | null;
}

function Example({ title, code }: { title: string; code: string }) {
  return (
    <figure className="grid min-w-0 gap-1">
      <figcaption className="text-muted text-sm">{title}</figcaption>
      <CodeBlock code={code} copyLabel={`Copy ${title}`} />
    </figure>
  );
}

function curl({ url, body }: Call): string {
  const lines = [`curl ${url}`, '  -H "Authorization: Bearer $RAGSTONE_API_KEY"'];
  if (body) lines.push('  -H "Content-Type: application/json"', `  -d '${body.replaceAll("'", "'\\''")}'`);
  return lines.join(" \\\n");
}

function typescript({ url, method, body }: Call): string {
  const options = [
    ...(body ? [`  method: "${method}",`] : []),
    "  headers: {",
    `    Authorization: "Bearer " + process.env.RAGSTONE_API_KEY,`,
    ...(body ? ['    "Content-Type": "application/json",'] : []),
    "  },",
    ...(body ? [`  body: JSON.stringify(${indent(body)}),`] : []),
  ];
  return [`const response = await fetch("${url}", {`, ...options, "});", "console.log(await response.json());"].join(
    "\n",
  );
}

function python({ url, method, body }: Call): string {
  return [
    "import os, requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    `    headers={"Authorization": f"Bearer {os.environ['RAGSTONE_API_KEY']}"},`,
    ...(body
      ? [
          `    json=${indent(indent(body))
            .replaceAll(/\btrue\b/g, "True")
            .replaceAll(/\bfalse\b/g, "False")},`,
        ]
      : []),
    ")",
    "print(response.json())",
  ].join("\n");
}

/** All lines but the first two spaces deeper. */
function indent(text: string): string {
  return text.replaceAll("\n", "\n  ");
}
