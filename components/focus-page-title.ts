/** Moves the focus to the page's title, for an action that removes the control that had it. */
export function focusPageTitle(): void {
  // a person with a mouse stays where they are
  document.getElementById("page-title")?.focus({ preventScroll: true });
}
