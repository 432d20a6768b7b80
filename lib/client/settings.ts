import { RagstoneError } from "./errors.ts";

export interface RagstoneOptions {
  /** By default the environment variable RAGSTONE_API_KEY. */
  apiKey?: string | undefined;
  /** The server's URL, with or without `/v1`. By default the environment variable RAGSTONE_URL. */
  baseUrl?: string | undefined;
  /** For a request with its retries: 60,000 by default. A request that sends or gets a file has at least 10 minutes. */
  timeoutMs?: number | undefined;
  /** 2 by default. */
  maxRetries?: number | undefined;
  fetch?: typeof globalThis.fetch | undefined;
}

export interface Settings {
  apiKey: string;
  /** With `/v1`, without a slash at its end. */
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  fetch: typeof globalThis.fetch;
}

const TIMEOUT_MS = 60_000;
const MAX_RETRIES = 2;

/** Completes and checks the options. @throws {RagstoneError} whose message never contains the key */
export function settingsOf(options: RagstoneOptions): Settings {
  if ("document" in globalThis && "window" in globalThis) {
    throw new RagstoneError("An API key must not be used in a browser. Call Ragstone from your server.");
  }
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const maxRetries = options.maxRetries ?? MAX_RETRIES;
  if (!(timeoutMs > 0)) throw new RagstoneError("timeoutMs must be more than 0.");
  if (!Number.isInteger(maxRetries) || maxRetries < 0) throw new RagstoneError("maxRetries must be 0 or more.");
  return {
    apiKey: checkKey(options.apiKey ?? variable("RAGSTONE_API_KEY")),
    baseUrl: checkAddress(options.baseUrl ?? variable("RAGSTONE_URL")),
    timeoutMs,
    maxRetries,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

function variable(name: string): string | undefined {
  return globalThis.process?.env[name]?.trim();
}

function checkKey(key: string | undefined): string {
  if (!key) throw new RagstoneError("The API key is missing. Pass apiKey, or set RAGSTONE_API_KEY.");
  // else `fetch` would refuse the header with a message that contains the key
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new RagstoneError("The API key contains characters that keys never have, such as a space. Copy it again.");
  return key;
}

function checkAddress(given: string | undefined): string {
  if (!given) throw new RagstoneError("The server's URL is missing. Pass baseUrl, or set RAGSTONE_URL.");
  const url = URL.canParse(given) ? new URL(given) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new RagstoneError('baseUrl must be a URL such as "https://rag.example.com".');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new RagstoneError("baseUrl must not have a user name, a query string or a fragment.");
  }
  const path = url.pathname.replace(/\/+$/, "");
  if (path !== "" && !path.endsWith("/v1")) {
    throw new RagstoneError(`baseUrl must end with the host or with /v1, not with "${path}".`);
  }
  return `${url.origin}${path || "/v1"}`;
}
