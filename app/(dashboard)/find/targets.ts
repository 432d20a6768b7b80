import type { Found } from "@/lib/find/find-by-name.ts";
import { firstCharacters } from "@/lib/text.ts";
import type { FindablePage } from "../shell/nav.ts";

/** Characters of a test question by which its list is searched. */
const QUESTION_SEARCHED = 200;

/** Something that a person can jump to. */
export interface Target {
  name: string;
  kind: "Page" | "Request" | "Source" | "Key" | "Test question";
  href: string;
}

interface Targets {
  pages: FindablePage[];
  found: Found | null;
  isAdmin: boolean;
}

/** What matches a text: requests first, because an id names exactly one; without a text, the pages. */
export function targetsOf(text: string, { pages, found, isAdmin }: Targets): Target[] {
  const word = text.toLowerCase();
  const { requests = [], sources = [], keys = [], testQuestions = [] } = found ?? {};
  return [
    ...requests.map(({ id, question }): Target => {
      return { name: question ?? id, kind: "Request", href: `/usage/requests/${id}` };
    }),
    ...pages
      .filter(({ label }) => label.toLowerCase().includes(word))
      .map(({ label, href }): Target => ({ name: label, kind: "Page", href })),
    ...sources.map(({ id, title }): Target => ({ name: title, kind: "Source", href: `/knowledge/${id}` })),
    ...keys.map(({ id, name }): Target => {
      // support staff may not open a key, but see its figures
      return { name, kind: "Key", href: isAdmin ? `/settings/api-keys/${id}` : `/usage?source=${id}` };
    }),
    ...testQuestions.map(({ question }): Target => {
      // the list finds a question by any part of it, and the server refuses a long URL
      const part = encodeURIComponent(firstCharacters(question, QUESTION_SEARCHED));
      return { name: question, kind: "Test question", href: `/test-questions?q=${part}` };
    }),
  ];
}
