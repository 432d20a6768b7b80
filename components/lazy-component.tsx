"use client";

import { type ComponentType, type LazyExoticComponent, lazy, Suspense } from "react";

/**
 * A component whose code is loaded when it is first rendered, such as a dialog. It has its own Suspense boundary:
 * otherwise the boundary around it, at times the whole page, would be hidden while it loads, and would lose the focus.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Component: LazyExoticComponent<ComponentType<Props>> = lazy(async () => ({ default: await load() }));
  return function LazyComponent(props: Props) {
    return (
      <Suspense>
        <Component {...props} />
      </Suspense>
    );
  };
}
