import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "../../testing/database.ts";
import { embeddingModels } from "../schema/index.ts";
import { embeddingModelId } from "./models.ts";

const { db } = testDatabase();

/** Too long for an index, which would take seconds to create. */
const DIMENSIONS = 4_100;

test("a model keeps its number, however many register it together", async () => {
  const model = { modelId: randomUUID(), dimensions: DIMENSIONS };
  const ids = await Promise.all(Array.from({ length: 5 }, () => embeddingModelId(model)));
  expect(new Set(ids).size).toBe(1);
  await expect(embeddingModelId({ ...model, dimensions: 4_200 })).rejects.toThrow("4100 dimensions before, not 4200");
});

test("a running process follows the numbers of a database that was restored", async () => {
  const model = { modelId: randomUUID(), dimensions: DIMENSIONS };
  const before = await embeddingModelId(model);
  await db.update(embeddingModels).set({ name: randomUUID() }).where(eq(embeddingModels.id, before));
  const [restored] = await db
    .insert(embeddingModels)
    .values({ name: model.modelId, dimensions: DIMENSIONS })
    .returning();
  expect(await embeddingModelId(model)).toBe(restored?.id);
});
