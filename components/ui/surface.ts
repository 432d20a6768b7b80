/** Style of menus, lists and popovers above the page. */
export const SURFACE_STYLE =
  "z-50 animate-in overflow-hidden rounded-md border border-border bg-raised p-1 text-foreground shadow-md outline-none";

/** Style of one entry of a menu or a list. */
export const ITEM_STYLE =
  "relative flex min-h-8 cursor-default select-none items-center gap-2 rounded-sm px-2 py-1.5 text-base outline-none max-sm:min-h-11 data-disabled:pointer-events-none data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0";
