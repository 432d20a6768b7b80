import { afterEach, expect, test } from "vitest";
import { tenantScope } from "../../db/tenant.ts";
import type { PieceRequest } from "../ingest/pieces.ts";
import { closeParsers } from "./child-processes.ts";
import { requestParse, requestPieces, requestTexts } from "./pool.ts";

const TIME_MS = 60_000;

afterEach(closeParsers);

function textOf(content: string): PieceRequest {
  const body = { kind: "text", title: "A note", content } as const;
  return { kind: "pieces", body, sourceId: "source", maxTokens: 512, ocrLanguages: [], recognised: [] };
}

/** The first piece of a text that is prepared on its own. */
async function pieceOf(text: PieceRequest) {
  for await (const piece of requestPieces(text, TIME_MS)) return piece;
}

test("texts in one message are prepared as each alone, except one that cannot be read", async () => {
  const [note, other] = [textOf("The lighthouse is open in summer."), textOf("Il porto è chiuso d'inverno.")];
  const unreadable = textOf(`${"> ".repeat(200)}nested`);
  const alone = [await pieceOf(note), await pieceOf(other)];
  expect(alone).toMatchObject([{ title: "A note", last: true }, { last: true }]);
  expect(await requestTexts([note, unreadable, other], TIME_MS)).toEqual([alone[0], null, alone[1]]);
});

test("a text of several pieces is left for a message of its own", async () => {
  const paragraph = "The lighthouse keeper reads the logbook every evening. ".repeat(40);
  const long = textOf(Array.from({ length: 250 }, (_, i) => `# Part ${i}\n\n${paragraph}`).join("\n\n"));
  expect(await requestTexts([long], TIME_MS)).toEqual([null]);
});

test("two files are read at a time, eight wait without being loaded, and the next one is refused", async () => {
  const gate = Promise.withResolvers<never>();
  let loaded = 0;
  const load = () => {
    loaded++;
    return gate.promise;
  };
  const requests = Array.from({ length: 10 }, () => requestParse(load));
  await expect(requestParse(load)).rejects.toMatchObject({
    error: "ServiceUnavailable",
    message: "The server is reading too many files at the same time. Retry in 10 seconds.",
    headers: { "Retry-After": "10" },
  });
  expect(loaded).toBe(2);
  gate.reject(new Error("not readable"));
  const outcomes = await Promise.allSettled(requests);
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => "rejected"));
  expect(loaded).toBe(10);
});

test("the file of a caller that leaves while it waits is not read", async () => {
  const gate = Promise.withResolvers<never>();
  const slow = [1, 2].map(() => requestParse(() => gate.promise));
  const leaving = new AbortController();
  let loaded = false;
  const load = () => {
    loaded = true;
    return gate.promise;
  };
  const left = requestParse(load, leaving.signal);
  leaving.abort(new Error("left"));
  gate.reject(new Error("not readable"));
  await expect(left).rejects.toThrow("left");
  await Promise.allSettled(slow);
  expect(loaded).toBe(false);
});

test("files of one company are read one at a time, and a file of another company does not wait for them", async () => {
  const [busy, quiet] = ["0192aaaa-0000-7000-8000-000000000001", "0192aaaa-0000-7000-8000-000000000002"].map(
    (id) => tenantScope(id).companyId,
  );
  const gate = Promise.withResolvers<never>();
  let loaded = 0;
  const load = () => {
    loaded++;
    return gate.promise;
  };
  const slow = Array.from({ length: 12 }, () => requestParse(load, undefined, { companyId: busy }));
  const note = { kind: "markdown", bytes: Buffer.from("Open at nine.") } as const;
  const reply = await requestParse(note, undefined, { companyId: quiet });
  expect([reply.kind, loaded]).toEqual(["document", 1]);
  gate.reject(new Error("not readable"));
  expect((await Promise.allSettled(slow)).every(({ status }) => status === "rejected")).toBe(true);
  expect(loaded).toBe(12);
});
