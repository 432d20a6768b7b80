"use client";

import { type Ref, type RefObject, useEffect, useEffectEvent, useImperativeHandle, useRef } from "react";
import { flushSync } from "react-dom";

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
    if (text === undefined) return;
    let isGone = false;
    // without a pause, so that nobody types in between; one after the other, because fields of a form may share one state
    queueMicrotask(() => {
      if (!isGone) flushSync(() => replay(text));
    });
    return () => {
      isGone = true;
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
