import { CodeBlock } from "@/components/code-block.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs.tsx";
import type { Operation } from "@/lib/openapi/reference.ts";
import { requestExamples } from "@/lib/openapi/request-examples.ts";

interface ExamplesProps {
  operation: Operation;
  publicUrl: string;
}

export function Examples({ operation, publicUrl }: ExamplesProps) {
  const languages = requestExamples({
    url: publicUrl + operation.path,
    method: operation.method,
    body: operation.requestExample,
  });
  return (
    <div className="grid gap-3">
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
      {operation.responseExample && (
        <figure className="grid gap-1">
          <figcaption className="text-muted text-sm">Response</figcaption>
          <CodeBlock code={JSON.stringify(operation.responseExample, null, 2)} copyLabel="Copy response" />
        </figure>
      )}
    </div>
  );
}
