import type { SourceLabels } from "./source-types.ts";
import { type Call, type FileBody, queryString } from "./transport.ts";

/** A file and its labels. */
export interface PutFile extends SourceLabels {
  /**
   * Your own identifier, for example its path. Sending the same identifier again replaces the source. The server takes
   * the file's name from its end.
   */
  sourceId: string;
  /** At most 50 MB. The server recognises the format by the content. */
  file: FileBody;
}

interface FileOptions {
  headers?: Record<string, string>;
  /** What the query string holds beside the labels. */
  query?: object;
}

/** The server takes 16 KiB of request line and headers, and some proxies take 8 KiB. */
const QUERY_CHARACTERS_MAX = 4_000;

/** The request that puts a file: with the labels in the query string, or in a form if they are long. */
export function fileCall({ file, ...labels }: PutFile, { headers, query }: FileOptions): Call {
  const call = { method: "PUT", path: "/sources/file" } as const;
  const whole = { ...fileQuery(labels), ...query };
  if (queryString(whole).length <= QUERY_CHARACTERS_MAX) {
    return { ...call, query: whole, file, headers: { "Content-Type": "application/octet-stream", ...headers } };
  }
  const boundary = `ragstone-${crypto.randomUUID()}`;
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const form = formBody(boundary, { labels: JSON.stringify(labels), file });
  return { ...call, ...(query && { query }), file: form, headers: { "Content-Type": contentType, ...headers } };
}

/** The form as a blob, because the `fetch` of another library may not know the global `FormData`. The file is not read yet. */
function formBody(boundary: string, { labels, file }: { labels: string; file: FileBody }): Blob {
  const part = (name: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;
  return new Blob([
    `${part("labels")}\r\n\r\n${labels}\r\n`,
    `${part("file")}; filename="blob"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    file,
    `\r\n--${boundary}--\r\n`,
  ]);
}

function fileQuery({ audience, path, metadata, ...labels }: Omit<PutFile, "file">): object {
  return {
    ...labels,
    audience: listValue(audience),
    path: listValue(path),
    metadata: metadata ? JSON.stringify(metadata) : undefined,
  };
}

/** An empty list as an empty value: a missing one would keep the label or take its default. */
function listValue(list: string[] | null | undefined): string[] | string | null | undefined {
  return list?.length === 0 ? "" : list;
}
