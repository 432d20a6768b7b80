import type { BlockContent, DefinitionContent, Nodes, RootContent } from "mdast";

/** Destinations of links, and of comments such as "[//]: # (comment)". */
const LINK = /^(?:[a-z][a-z\d+.-]*:|\.{0,2}\/|www\.|#|$)/i;

/**
 * Keeps definitions that are not used in this text and would not be shown: footnotes as paragraphs, and lines that only
 * look like link definitions, such as "[Phone]: +39-055-123", as text.
 */
export function keepUnusedDefinitions(tree: Nodes, source: string): void {
  const used = new Set(referencesBelow(tree));

  function visit(node: Nodes): void {
    if (node.type === "root") node.children = shown(node.children);
    else if (node.type === "blockquote" || node.type === "listItem" || node.type === "footnoteDefinition") {
      node.children = shown(node.children);
    } else if (node.type === "list") for (const item of node.children) visit(item);
  }

  function shown<T extends RootContent>(nodes: T[]): (T | BlockContent | DefinitionContent)[] {
    return nodes.flatMap((node): (T | BlockContent | DefinitionContent)[] => {
      visit(node);
      if (node.type === "footnoteDefinition" && !used.has(`^${node.identifier}`)) return node.children;
      if (node.type !== "definition" || used.has(node.identifier) || LINK.test(node.url)) return [node];
      const value = source.slice(node.position?.start.offset, node.position?.end.offset);
      return [{ type: "paragraph", children: [{ type: "text", value }] }];
    });
  }

  visit(tree);
}

function referencesBelow(node: Nodes): string[] {
  if (node.type === "footnoteReference") return [`^${node.identifier}`];
  const own = node.type === "linkReference" || node.type === "imageReference" ? [node.identifier] : [];
  return "children" in node ? [...own, ...node.children.flatMap(referencesBelow)] : own;
}
