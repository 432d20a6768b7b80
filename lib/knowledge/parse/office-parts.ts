import { posix } from "node:path";
import { attribute, findElements, parseXml } from "./xml.ts";

/** The XML parts of an Office document, by their name in the archive. */
export type OfficeParts = ReadonlyMap<string, string>;

export interface Relation {
  id: string;
  /** The end of the relation's type, for example "slide". */
  type: string;
  /** The name of the part that it points to. */
  target: string;
}

/** The other parts that a part refers to, or those that the whole document does, whose name is "". */
export function relationsOf(parts: OfficeParts, name: string): Relation[] {
  const folder = posix.dirname(name);
  const xml = parts.get(posix.join(folder, "_rels", `${posix.basename(name)}.rels`));
  if (xml === undefined) return [];
  return findElements(parseXml(xml), "x:relationship").map((relation) => ({
    id: attribute(relation, "id"),
    type: posix.basename(attribute(relation, "type")),
    target: posix.resolve(`/${folder}`, attribute(relation, "target")).slice(1),
  }));
}
