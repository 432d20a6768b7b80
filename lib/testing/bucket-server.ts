import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

export const BUCKET_KEY = "service-role-key";

interface Bucket {
  public: boolean;
  objects: Map<string, Buffer>;
}

/** A server with the part of Supabase Storage's HTTP API that originals need. */
interface BucketServer {
  url: string;
  buckets: Map<string, Bucket>;
  /** Method and path of every request. */
  requests: string[];
  /** Makes this function answer in place of the storage; null restores the storage. */
  fail(fault: ((response: ServerResponse) => void) | null): void;
  close(): Promise<void>;
}

export async function startBucketServer(): Promise<BucketServer> {
  const buckets: BucketServer["buckets"] = new Map();
  const requests: string[] = [];
  let fault: ((response: ServerResponse) => void) | null = null;
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const body = await sentFile(request);
    if (fault !== null) return fault(response);
    const allowed = request.headers.authorization === `Bearer ${BUCKET_KEY}`;
    answerWith(response, allowed ? answer(request, body, buckets) : refusal(403, "invalid signature"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    buckets,
    requests,
    fail(given) {
      fault = given;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Answer {
  status: number;
  body: unknown;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("It does not listen on a port.");
  return address.port;
}

/** The uploaded file. It is sent as a form, with its length announced. */
async function sentFile(request: IncomingMessage): Promise<Buffer> {
  const body = await buffer(request);
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) return body;
  if (Number(request.headers["content-length"]) !== body.byteLength) throw new Error("its length was not told");
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  for (const value of form.values()) if (value instanceof File) return Buffer.from(await value.arrayBuffer());
  throw new Error("no file in the form");
}

function answer({ method, url = "" }: IncomingMessage, body: Buffer, buckets: BucketServer["buckets"]): Answer {
  const [, what = "", name = "", ...rest] = url.replace("/storage/v1", "").split("/");
  if (what === "object" && name === "info") {
    const [holder = "", ...key] = rest;
    const known = buckets.get(holder)?.objects.has(key.join("/"));
    return known ? { status: 200, body: { name: key.join("/") } } : refusal(400, "Object not found", "404");
  }
  if (what === "object" && name === "list") return listed(buckets.get(rest[0] ?? ""), body);
  const bucket = buckets.get(name);
  if (what === "bucket" && method === "POST") {
    const asked: { name: string; public: boolean } = JSON.parse(body.toString());
    buckets.set(asked.name, { public: asked.public, objects: new Map() });
    return { status: 200, body: { name: asked.name } };
  }
  if (bucket === undefined) return refusal(400, "Bucket not found", "404");
  if (what === "bucket") return { status: 200, body: { id: name, name, public: bucket.public } };
  if (method === "POST") {
    bucket.objects.set(rest.join("/"), body);
    return { status: 200, body: { Id: "1", Key: `${name}/${rest.join("/")}` } };
  }
  if (method === "DELETE") {
    const { prefixes }: { prefixes: string[] } = JSON.parse(body.toString());
    const gone = prefixes.filter((each) => bucket.objects.delete(each));
    return { status: 200, body: gone.map((each) => ({ name: each })) };
  }
  const object = bucket.objects.get(rest.join("/"));
  return object === undefined ? refusal(400, "Object not found", "404") : { status: 200, body: object };
}

/** The names of the objects in a folder, sorted. */
function listed(bucket: Bucket | undefined, body: Buffer): Answer {
  const { prefix, limit }: { prefix: string; limit: number } = JSON.parse(body.toString());
  const keys = [...(bucket?.objects.keys() ?? [])].filter((key) => key.startsWith(`${prefix}/`)).sort();
  return { status: 200, body: keys.slice(0, limit).map((key) => ({ name: key.slice(prefix.length + 1) })) };
}

export function refusal(status: number, message: string, statusCode = String(status)): Answer {
  return { status, body: { statusCode, error: message, message } };
}

export function answerWith(response: ServerResponse, { status, body }: Answer): void {
  const type = Buffer.isBuffer(body) ? "application/octet-stream" : "application/json";
  response.writeHead(status, { "content-type": type }).end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
}
