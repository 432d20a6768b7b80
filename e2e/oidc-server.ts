import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export interface OidcServer {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The person whom the provider signs in from now on. */
  person: { email: string; name: string; email_verified?: boolean };
  close(): void;
}

const KEY_ID = "test";

/** A local OpenID Connect provider. It asks for no password, but checks the client's code, challenge and secret. */
export async function startOidcServer(): Promise<OidcServer> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const authorizations = new Map<string, URLSearchParams>();
  const provider = { issuer: "", clientId: "ragstone", clientSecret: "secret-of-this-test", person: NOBODY_YET };

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const code = randomUUID();
    authorizations.set(code, query);
    const back = new URL(query.get("redirect_uri") ?? "");
    back.search = new URLSearchParams({ code, state: query.get("state") ?? "" }).toString();
    response.writeHead(302, { Location: back.href }).end();
  }

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const given = new URLSearchParams(await text(request));
    const query = authorizations.get(given.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(given.get("code_verifier") ?? "")
      .digest("base64url");
    const client = Buffer.from(`${provider.clientId}:${provider.clientSecret}`).toString("base64");
    const authorized = request.headers.authorization === `Basic ${client}`;
    if (!query || query.get("code_challenge") !== challenge || !authorized) {
      return answer(response, 400, { error: "invalid_grant" });
    }
    authorizations.delete(given.get("code") ?? "");
    const now = Math.floor(Date.now() / 1_000);
    const { issuer: iss, clientId: aud, person } = provider;
    const claims = {
      iss,
      aud,
      sub: person.email.toLowerCase(),
      iat: now,
      exp: now + 60,
      nonce: query.get("nonce"),
      ...person,
    };
    const unsigned = [{ alg: "RS256", kid: KEY_ID }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    const signature = sign("sha256", Buffer.from(unsigned), privateKey).toString("base64url");
    answer(response, 200, { access_token: randomUUID(), token_type: "Bearer", id_token: `${unsigned}.${signature}` });
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", provider.issuer);
    if (pathname === "/authorize") return authorize(searchParams, response);
    if (pathname === "/token") return void token(request, response);
    if (pathname === "/keys") {
      const key = { ...publicKey.export({ format: "jwk" }), kid: KEY_ID, use: "sig", alg: "RS256" };
      return answer(response, 200, { keys: [key] });
    }
    answer(response, pathname.startsWith("/.well-known/") ? 200 : 404, {
      issuer: provider.issuer,
      authorization_endpoint: `${provider.issuer}/authorize`,
      token_endpoint: `${provider.issuer}/token`,
      jwks_uri: `${provider.issuer}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port is free");
  provider.issuer = `http://127.0.0.1:${address.port}`;
  return Object.assign(provider, { close: () => void server.close() });
}

const NOBODY_YET: OidcServer["person"] = { email: "", name: "" };

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
