import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import { API_ERRORS } from "@/lib/http/error-schema.ts";

export function ErrorsTable() {
  return (
    <Table>
      <caption className="sr-only">Errors of the API</caption>
      <TableHead>
        <tr>
          <TableHeader>Status</TableHeader>
          <TableHeader>error</TableHeader>
          <TableHeader>When</TableHeader>
          <TableHeader>Extra fields and headers</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {API_ERRORS.map(({ error, example, when, fields, headers }) => (
          <TableRow key={error} className="align-top text-sm">
            <TableCell className="font-mono">{example.statusCode}</TableCell>
            <TableCell className="font-mono">{error}</TableCell>
            <TableCell className="min-w-60">{when}</TableCell>
            <TableCell className="font-mono text-muted">
              {[...Object.keys(fields ?? {}), ...Object.keys(headers ?? {})].join(", ") || "–"}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
