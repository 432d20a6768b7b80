"use client";

import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode, Suspense } from "react";

/**
 * A component whose code is loaded when it is first rendered, such as a dialog. It has its own Suspense boundary:
 * otherwise the boundary around it, at times the whole page, would be hidden while it loads, and would lose the focus.
 * @param placeholder shown while it loads
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder?: ReactNode,
) {
  const Component: LazyExoticComponent<ComponentType<Props>> = lazy(async () => ({ default: await load() }));
  return function LazyComponent(props: Props) {
    return (
      <Suspense fallback={placeholder}>
        <Component {...props} />
      </Suspense>
    );
  };
}
