/** Moves the focus to the page's title, for an action that removes the control that had it. */
export function focusPageTitle(): void {
  document.getElementById("page-title")?.focus();
}
