import { describe, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { statusResponse } from "../api-keys/schema.ts";
import type * as answers from "../knowledge/manage/responses.ts";
import type * as manage from "../knowledge/manage/schema.ts";
import type { retrieveRequest, retrieveResponse } from "../retrieval/schema.ts";
import type * as client from "./index.ts";

type Accepted = client.AcceptedSource;
type PutFileResponse = Accepted | client.QuestionsOutcome;
type Labels = Omit<client.PutFile, "file">;

/** The compiler checks these; running them proves nothing more. */
describe("the types of the client are those of the routes", () => {
  test("for what is sent", () => {
    expectTypeOf<client.RetrieveRequest>().toEqualTypeOf<z.input<typeof retrieveRequest>>();
    expectTypeOf<client.PutSource>().toEqualTypeOf<z.input<typeof manage.putSourceRequest>>();
    expectTypeOf<client.PutSource[]>().toEqualTypeOf<z.input<typeof manage.batchRequest>["sources"]>();
    expectTypeOf<client.DiffRequest>().toEqualTypeOf<z.input<typeof manage.diffRequest>>();
    expectTypeOf<{ ids: string[] }>().toEqualTypeOf<z.input<typeof manage.statusesRequest>>();
    expectTypeOf<client.DeleteRequest>().toEqualTypeOf<z.input<typeof manage.deleteRequest>>();
    expectTypeOf<client.SourceLabels>().toEqualTypeOf<z.input<typeof manage.labelsRequest>>();
  });

  test("for query strings, which hold the same names as texts", () => {
    expectTypeOf<keyof client.ListQuery>().toEqualTypeOf<keyof z.input<typeof manage.listQuery>>();
    type Parsed = Omit<z.output<typeof manage.listQuery>, "cursor" | "limit">;
    expectTypeOf<Omit<client.ListQuery, "cursor" | "limit">>().toEqualTypeOf<Parsed>();
    type FileNames = keyof Labels | "as" | "widen" | "merge";
    expectTypeOf<FileNames>().toEqualTypeOf<keyof z.input<typeof manage.fileQuery>>();
    type Widen = z.output<typeof manage.widenQuery>["widen"];
    expectTypeOf<client.BatchOptions["widen"]>().toEqualTypeOf<Widen>();
    type Merge = z.output<typeof manage.mergeQuery>["merge"];
    expectTypeOf<client.PutOptions["merge"]>().toEqualTypeOf<Merge>();
  });

  test("for what is returned", () => {
    expectTypeOf<client.StatusResponse>().toEqualTypeOf<z.output<typeof statusResponse>>();
    expectTypeOf<client.RetrieveResponse>().toEqualTypeOf<z.output<typeof retrieveResponse>>();
    expectTypeOf<Accepted>().toEqualTypeOf<z.output<typeof answers.acceptedSource>>();
    expectTypeOf<PutFileResponse>().branded.toEqualTypeOf<z.output<typeof answers.putFileResponse>>();
    expectTypeOf<client.BatchOutcome>().branded.toEqualTypeOf<z.output<typeof answers.batchResponse>>();
    expectTypeOf<client.DiffResponse>().toEqualTypeOf<z.output<typeof answers.diffResponse>>();
    expectTypeOf<client.StatusesResponse>().toEqualTypeOf<z.output<typeof answers.statusesResponse>>();
    expectTypeOf<client.DeleteResponse>().toEqualTypeOf<z.output<typeof answers.deleteResponse>>();
    expectTypeOf<client.SourceRef>().toEqualTypeOf<z.output<typeof answers.deletedSource>>();
    expectTypeOf<client.SourceVerification>().toEqualTypeOf<z.output<typeof answers.verificationResponse>>();
    expectTypeOf<client.SourcePage>().toEqualTypeOf<z.output<typeof answers.listResponse>>();
    expectTypeOf<client.SourceDetails>().branded.toEqualTypeOf<z.output<typeof answers.sourceResponse>>();
  });
});
