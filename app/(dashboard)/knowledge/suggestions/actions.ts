"use server";

import { action } from "@/lib/auth/action.ts";
import { acceptSuggestion, declineSuggestion } from "@/lib/knowledge/suggestions/decide.ts";
import { acceptInput, declineInput, suggestionInput } from "@/lib/knowledge/suggestions/schema.ts";
import { suggestContent } from "@/lib/knowledge/suggestions/suggest.ts";

export const suggestAction = action({ name: "suggestion.make", schema: suggestionInput }, ({ scope, actor, input }) =>
  suggestContent(scope, actor, input),
);

export const acceptSuggestionAction = action(
  { name: "suggestion.accept", role: "admin", schema: acceptInput },
  ({ scope, actor, input }) => acceptSuggestion(scope, actor, input),
);

export const declineSuggestionAction = action(
  { name: "suggestion.decline", role: "admin", schema: declineInput },
  ({ scope, actor, input }) => declineSuggestion(scope, actor, input),
);
