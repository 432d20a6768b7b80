/** For a dialog that closes: what opened it may be gone, and the focus with it; then it goes to the page's title. */
export function focusTitleIfLost(): void {
  queueMicrotask(() => {
    if (document.activeElement === document.body) document.getElementById("page-title")?.focus();
  });
}
