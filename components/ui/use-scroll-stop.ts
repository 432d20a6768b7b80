"use client";

import { useEffect, useRef, useState } from "react";

/** Makes an element a tab stop while its content overflows, so that it can be scrolled with the keyboard. */
export function useScrollStop<Element extends HTMLElement>() {
  const ref = useRef<Element>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const frame = ref.current;
    if (!frame) return;
    // rounding can make the scroll height one pixel larger than the client height
    const overflows = () => frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight + 1;
    const observer = new ResizeObserver(() => setScrolls(overflows()));
    observer.observe(frame);
    for (const child of frame.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return { ref, ...(scrolls && { tabIndex: 0 }) };
}
