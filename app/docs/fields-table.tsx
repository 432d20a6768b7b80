import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import type { Component } from "@/lib/openapi/reference.ts";
import { Prose } from "./prose.tsx";

interface FieldsTableProps {
  component: Component;
  /** For a request: also shows required fields and defaults. */
  input?: boolean;
}

export function FieldsTable({ component, input }: FieldsTableProps) {
  return (
    <Table>
      <caption className="sr-only">Fields of {component.name}</caption>
      <TableHead>
        <tr>
          <TableHeader>Field</TableHeader>
          <TableHeader>Type</TableHeader>
          {input && <TableHeader>Default</TableHeader>}
          <TableHeader>Meaning</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {component.fields.map((field) => (
          <TableRow key={field.name} className="align-top text-sm">
            <TableCell className="font-mono">{field.name}</TableCell>
            <TableCell className="min-w-40 font-mono text-muted">
              {field.type}
              {field.refersTo && (
                <>
                  {" "}
                  <a className="text-accent underline" href={`#${field.refersTo}`}>
                    {field.refersTo}
                  </a>
                </>
              )}
            </TableCell>
            {input && (
              <TableCell className="font-mono text-muted">
                {field.required ? "required" : (field.default ?? "–")}
              </TableCell>
            )}
            <TableCell className="min-w-60">
              <Prose text={field.description} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
