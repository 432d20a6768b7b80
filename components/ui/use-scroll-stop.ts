"use client";

import { useEffect, useRef, useState } from "react";

/** Makes what scrolls a stop of the Tab key, so that a keyboard can scroll it; only while there is something to scroll. */
export function useScrollStop<Element extends HTMLElement>() {
  const ref = useRef<Element>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const frame = ref.current;
    if (!frame) return;
    // heights are rounded up to a pixel more than there is
    const overflows = () => frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight + 1;
    const observer = new ResizeObserver(() => setScrolls(overflows()));
    observer.observe(frame);
    for (const child of frame.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return { ref, ...(scrolls && { tabIndex: 0 }) };
}
