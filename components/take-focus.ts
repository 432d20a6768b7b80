/** The `ref` of an element that takes the focus once, because it replaces the control that had it. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
