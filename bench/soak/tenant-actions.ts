import type { Json } from "./action-input.ts";
import type { Named } from "./tenant-ids.ts";

const CONTENT = { kind: "text", title: "stolen", content: "stolen" };
const LABELS = { audience: [], contentCategory: "", path: "" };

const GAP_CHANGES: ((named: Named) => Json)[] = [
  ({ byName }) => ({ do: "assign", userId: byName.get("userId") }),
  () => ({ do: "dismiss", reason: "stolen" }),
  () => ({ do: "snooze", days: 1 }),
  () => ({ do: "reopen" }),
];

/** Inputs that the issues of an action do not lead to. What is missing here is filled in as the issues require. */
const INPUTS: Record<string, (named: Named, body: number) => Json> = {
  changeGapAction: (named, body) => ({ ...GAP_CHANGES[body % GAP_CHANGES.length]?.(named) }),
  editContentAction: () => ({ content: CONTENT }),
  suggestAction: ({ id, byName }, body) => {
    const about = body % 2 === 0 ? { sourceId: id, requestId: null } : { sourceId: null, requestId: id };
    return {
      content: CONTENT,
      note: "stolen",
      ...about,
      ...(body % 3 === 0 && { requestId: byName.get("requestId") }),
    };
  },
  acceptSuggestionAction: ({ byName }, body) => {
    const mergeInto = { id: byName.get("sourceId"), versionId: byName.get("versionId") };
    return { versionId: null, ...(body % 2 === 1 && { mergeInto }) };
  },
  relabelSourceAction: () => ({ ...LABELS, metadata: "{}" }),
  relabelSourcesAction: ({ id }) => ({ ids: [id], contentCategory: "stolen" }),
  checkUploadAction: ({ id }) => ({ names: [id], labels: LABELS }),
  addTextAction: ({ id }) => ({ ...LABELS, sourceId: id, title: "Ours", content: "Our own text." }),
  addQuestionAction: ({ id }) => ({
    ...LABELS,
    sourceId: id,
    question: `Who is ${id}?`,
    answer: "Us.",
    alternatives: "",
  }),
  mergeQuestionAction: () => ({ question: "Who?", answer: "Us.", alternatives: "" }),
  verifyAction: ({ id }) => ({ ids: [id], until: null }),
  whyNotAction: ({ id, byName }, body) => {
    const keyId = body % 2 === 0 ? null : byName.get("keyId");
    return { request: { queryText: "what is this mineral?" }, keyId, name: id };
  },
  saveTestQuestionAction: ({ byName }, body) => ({
    id: byName.get("testQuestionId"),
    ...{ question: "Who?", mustRefuse: true },
    ...(body % 2 === 1 && { apiKeyId: byName.get("keyId"), requestId: byName.get("requestId") }),
  }),
  watchKeyAction: () => ({ since: null }),
};

/** What an action gets at first. */
export function firstInput(action: string, named: Named, body: number): Json {
  return INPUTS[action]?.(named, body) ?? {};
}
