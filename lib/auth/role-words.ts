/** What support staff may do, as a text that follows "can". Pure. */
export const SUPPORT_MAY =
  "read knowledge and usage, ask questions in the playground, suggest answers, and write test questions";
