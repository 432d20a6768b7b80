"use client";

import { type Ref, type RefObject, useEffect, useEffectEvent, useImperativeHandle, useRef } from "react";

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/**
 * What was typed before the page's scripts had come: React leaves it in a field and tells nobody, so that the field shows
 * one thing and the page knows another. Hands it to the field's `onChange`, once.
 * @param given the field's ref of its owner, who gets the field too
 * @param value what the page believes is in the field; undefined where the page reads it there
 * @returns the ref of the field
 */
export function useEarlyText<Control extends TextControl>(
  given: Ref<Control> | undefined,
  value: unknown,
): RefObject<Control | null> {
  const own = useRef<Control>(null);
  useImperativeHandle<Control | null, Control | null>(given, () => own.current, []);
  const early = useEffectEvent(() => {
    const typed = own.current?.value;
    return value === undefined || typed === String(value) ? undefined : typed;
  });
  const handOver = useEffectEvent((text: string) => own.current && type(own.current, text, String(value)));
  useEffect(() => {
    const text = early();
    if (text === undefined) return;
    // one after the other: a form's fields may share one state, of which each must see what the last one made of it
    const timer = setTimeout(() => handOver(text));
    return () => clearTimeout(timer);
  }, []);
  return own;
}

/** As a person would: React compares with what it last saw, and looks away while the field's class writes. */
function type(field: TextControl, text: string, seen: string): void {
  field.value = seen;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
