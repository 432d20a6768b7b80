import { z } from "zod";
import { MAX_ISSUES } from "../errors.ts";
import { condition, type Op, type Where } from "../search-index/condition.ts";

const MAX_DEPTH = 4;
const MAX_CONDITIONS = 50;

type Path = PropertyKey[];

/** A node of a condition tree in the format of a client, and its place below its parent. */
interface Step<Node> {
  at: Path;
  node: Node;
}

/**
 * What a node means. `all` is an `and` that does not count as a level. `at` is the place of the value below the node.
 */
export type Reading<Node> =
  | { all: Step<Node>[] }
  | { group: "and" | "or" | "not"; members: Step<Node>[] }
  | { field: string; op: Op; value?: unknown; at?: Path }
  | { message: string; at?: Path };

/**
 * The schema of a condition tree in the format of a client. It checks limits and types, and names the place of each issue.
 * The output is undefined when there are no conditions.
 * @param rootOf the given value as a node
 * @param read one step into the format; a node deeper than the limit is never read
 */
export function whereSchema<Given, Node>(rootOf: (given: Given) => Node, read: (node: Node) => Reading<Node>) {
  const given = z.custom<Given>().meta({ override: { type: "object" } });
  return given.transform((value, context) => {
    const { where, issues } = readWhere(rootOf(value), read);
    for (const issue of issues) context.addIssue({ code: "custom", ...issue });
    return where;
  });
}

function readWhere<Node>(root: Node, read: (node: Node) => Reading<Node>) {
  const issues: { path: Path; message: string }[] = [];
  let conditions = 0;

  function refuse(path: Path, message: string): undefined {
    if (issues.length < MAX_ISSUES) issues.push({ path, message });
  }

  function visit(node: Node, path: Path, depth: number): Where | undefined {
    if (conditions > MAX_CONDITIONS || issues.length >= MAX_ISSUES) return undefined;
    const reading = read(node);
    if ("message" in reading) return refuse([...path, ...(reading.at ?? [])], reading.message);
    if ("field" in reading) return visitCondition(reading, path);
    if ("all" in reading) {
      const members = visitAll(reading.all, path, depth);
      return members.length > 1 ? { and: members } : members[0];
    }
    if (depth === MAX_DEPTH) return refuse(path, `must not nest deeper than ${MAX_DEPTH} levels`);
    const before = issues.length;
    const members = reading.members.flatMap((step) => {
      const known = issues.length;
      const [member] = visitAll([step], path, depth + 1);
      // a member without conditions would match everything
      const isRead = conditions <= MAX_CONDITIONS;
      if (!member && isRead && issues.length === known) refuse([...path, ...step.at], "must have a condition");
      return member ?? [];
    });
    const [first] = members;
    if (!first) return issues.length === before ? refuse(path, "must have at least one condition") : undefined;
    if (reading.group === "not") return { not: first };
    return reading.group === "and" ? { and: members } : { or: members };
  }

  function visitAll(steps: Step<Node>[], path: Path, depth: number): Where[] {
    return steps.flatMap(({ at, node }) => visit(node, [...path, ...at], depth) ?? []);
  }

  function visitCondition({ at = [], ...given }: { field: string; op: Op; at?: Path }, path: Path): Where | undefined {
    conditions += 1;
    if (conditions > MAX_CONDITIONS) return refuse(path, `must have at most ${MAX_CONDITIONS} conditions in all`);
    const parsed = condition.safeParse(given);
    if (parsed.success) return parsed.data;
    for (const {
      path: [part, ...rest],
      message,
    } of parsed.error.issues) {
      refuse(part === "value" ? [...path, ...at, ...rest] : path, message);
    }
  }

  return { where: visit(root, [], 0), issues };
}
