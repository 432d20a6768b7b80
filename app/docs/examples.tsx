import { CodeBlock } from "@/components/code-block.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs.tsx";
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
  const languages = { curl: curl(call), TypeScript: typescript(call), Python: python(call) };
  return (
    <div className="grid grid-cols-1 gap-3">
      <Tabs defaultValue="curl">
        <TabsList aria-label="Language of the example">
          {Object.keys(languages).map((name) => (
            <TabsTrigger key={name} value={name}>
              {name}
            </TabsTrigger>
          ))}
        </TabsList>
        {Object.entries(languages).map(([name, code]) => (
          <TabsContent key={name} value={name} className="pt-3">
            <CodeBlock code={code} copyLabel={`Copy ${name}`} />
          </TabsContent>
        ))}
      </Tabs>
      <figure className="grid grid-cols-1 gap-1">
        <figcaption className="text-muted text-sm">Response</figcaption>
        <CodeBlock code={JSON.stringify(response, null, 2)} copyLabel="Copy response" />
      </figure>
    </div>
  );
}

interface Call {
  url: string;
  method: string;
  body: string | null;
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
