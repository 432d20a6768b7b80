"use server";

import { action } from "@/lib/auth/action.ts";
import { acceptSuggestion, declineSuggestion } from "@/lib/knowledge/suggestions/decide.ts";
import { acceptInput, declineInput, suggestionInput, withdrawInput } from "@/lib/knowledge/suggestions/schema.ts";
import { suggestContent, withdrawSuggestion } from "@/lib/knowledge/suggestions/suggest.ts";

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

export const withdrawSuggestionAction = action(
  { name: "suggestion.withdraw", schema: withdrawInput },
  ({ scope, actor, input }) => withdrawSuggestion(scope, actor, input.id),
);
