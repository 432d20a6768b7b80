"use client";

import { type Ref, type RefObject, useEffect, useEffectEvent, useImperativeHandle, useRef } from "react";

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/**
 * Keeps text that was typed before the page's scripts loaded. React leaves such text in the field without an event, so
 * the page's state would differ from the field. This hook passes the text to the field's `onChange`, once.
 * @param given the caller's ref, which receives the field too
 * @param value the field's value in React's state; undefined for uncontrolled fields
 * @returns the ref to set on the field
 */
export function useEarlyText<Control extends TextControl>(
  given: Ref<Control> | undefined,
  value: unknown,
): RefObject<Control | null> {
  const own = useRef<Control>(null);
  useImperativeHandle<Control | null, Control | null>(given, () => own.current, []);
  const readEarlyText = useEffectEvent(() => {
    const typed = own.current?.value;
    return value === undefined || typed === String(value) ? undefined : typed;
  });
  const replay = useEffectEvent((text: string) => own.current && simulateTyping(own.current, text, String(value)));
  useEffect(() => {
    const text = readEarlyText();
    const field = own.current;
    if (text === undefined || !field) return;
    // in separate tasks: fields of a form may share one state, and each must see the update of the one before
    const timer = setTimeout(() => replay(text));
    // typing passes the whole text itself, and a replay would undo it
    const stop = () => clearTimeout(timer);
    field.addEventListener("input", stop, { once: true });
    return () => {
      stop();
      field.removeEventListener("input", stop);
    };
  }, []);
  return own;
}

/**
 * Changes a field as typing would. React ignores an input event unless the value differs from the last one it tracked,
 * so the text is written with the native setter, which React does not track.
 */
function simulateTyping(field: TextControl, text: string, seen: string): void {
  field.value = seen;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
