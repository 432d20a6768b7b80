import type { Element } from "hast";

/** Whether a task of a list is done, as in Markdown; empty for other items. */
export function taskMark(item: Element): "[x] " | "[ ] " | "" {
  if (![item.properties.className].flat().includes("task-list-item")) return "";
  const [first] = item.children.filter((child) => child.type === "element");
  const [box] = [first, ...(first?.children ?? [])].filter((child) => isCheckbox(child));
  return box === undefined ? "" : box.properties.checked ? "[x] " : "[ ] ";
}

function isCheckbox(node: Element["children"][number] | undefined): node is Element {
  return node?.type === "element" && node.tagName === "input" && node.properties.type === "checkbox";
}
