"use client";

import { type ComponentType, type LazyExoticComponent, lazy, Suspense } from "react";

/**
 * A part that is loaded when it is first rendered, such as a dialog. It waits in a boundary of its own: otherwise the one
 * around it, the whole page at times, would be hidden meanwhile, and what has the focus would lose it.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Part: LazyExoticComponent<ComponentType<Props>> = lazy(async () => ({ default: await load() }));
  return function Late(props: Props) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    );
  };
}
