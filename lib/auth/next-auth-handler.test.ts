import { NextRequest } from "next/server";
import { expect, test, vi } from "vitest";
import { log } from "../log.ts";
import { readAuthRequest } from "./auth-request.ts";
import { handleAuth } from "./next-auth-handler.ts";
import { authOptions } from "./options.ts";

const SIGN_IN_URL = "http://localhost:3000/api/auth/callback/credentials?a=1&b=2";
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json; charset=utf-8";
const LIMIT = 64 * 1024;

function post(type: string, body: BodyInit, headers: Record<string, string> = {}): Request {
  return new NextRequest(SIGN_IN_URL, {
    method: "POST",
    headers: { "content-type": type, ...headers },
    body,
    duplex: "half",
  });
}

async function refusal(request: Request): Promise<unknown> {
  const response = await handleAuth(request, { params: Promise.resolve({ nextauth: ["callback", "credentials"] }) });
  const body = Object(await response.json());
  expect(body).toMatchObject({ statusCode: response.status, message: expect.any(String) });
  expect(new URL(body.url).searchParams.get("error")).toBe(body.message);
  return body;
}

test("a body above 64 KiB is not read to its end, whatever its type and Content-Length say", async () => {
  for (const type of [FORM, JSON_TYPE, "text/plain"]) {
    let sent = 0;
    const large = new ReadableStream({
      pull(controller) {
        sent += 1024;
        controller.enqueue(new Uint8Array(1024));
        if (sent === 4 * LIMIT) controller.close();
      },
    });
    const refused = await refusal(post(type, large, { "content-length": "10" }));
    expect(refused).toMatchObject({
      error: "PayloadTooLarge",
      message: "The body is larger than 64 KiB. Send a smaller one.",
    });
    expect(sent).toBeLessThan(2 * LIMIT);
  }
});

test.each(["", "{", "null", "[]", '"a"', '{"callbackUrl":1}', '{"csrfToken":{}}', "[".repeat(100)])(
  "JSON that is not a form is refused with 400: %j",
  async (body) => {
    const refused = await refusal(post(JSON_TYPE, new TextEncoder().encode(body)));
    expect(refused).toMatchObject({ statusCode: 400, error: "BadRequest" });
  },
);

test.each([
  [FORM, `email=a%40b.c&password=%C3%A9&json=true&x=${"y".repeat(LIMIT - 45)}`],
  [FORM, ""],
  [JSON_TYPE, '{"csrfToken":"a","email":"é"}'],
])("a form is passed on with its URL, headers and body: %s", async (type, body) => {
  const passed = await readAuthRequest(post(type, body, { cookie: "a=b" }));
  expect(passed).toMatchObject({ method: "POST", url: SIGN_IN_URL });
  expect(Object.fromEntries(passed.headers)).toMatchObject({ "content-type": type, cookie: "a=b" });
  // the library reads the query from here
  expect(passed).toHaveProperty("nextUrl.search", "?a=1&b=2");
  expect(await passed.text()).toBe(body);
});

test("a request without a body is passed on as it is", async () => {
  const request = new NextRequest(SIGN_IN_URL);
  expect(await readAuthRequest(request)).toBe(request);
});

test("what a browser reports is not logged", async () => {
  const logged = vi.spyOn(log(), "error");
  const report = post(JSON_TYPE, '{"code":"anything","level":"error"}');
  const { status } = await handleAuth(report, { params: Promise.resolve({ nextauth: ["_log"] }) });
  expect([status, logged.mock.calls]).toEqual([204, []]);
});

test.each([
  ["nonsense", "http://localhost:3000/nonsense"],
  ["http://[", "http://localhost:3000"],
  ["https://elsewhere.example/a", "http://localhost:3000"],
  ["//elsewhere.example/a", "http://localhost:3000"],
  ["/usage?page=2", "http://localhost:3000/usage?page=2"],
  ["http://localhost:3000/usage", "http://localhost:3000/usage"],
])("after signing in at %s, a person goes to %s", (url, expected) => {
  const { callbacks } = authOptions({ headers: new Headers(), onFailure: () => undefined });
  expect(callbacks?.redirect?.({ url, baseUrl: "http://localhost:3000" })).toBe(expected);
});
