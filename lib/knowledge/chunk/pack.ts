import type { Atom } from "./atoms.ts";

/** A chunk is at least this part of the most it may be, where the text allows. */
const FULL_SHARE_MIN = 0.5;
/** A chunk of less is worth little by itself. */
const USEFUL_SHARE_MIN = 0.15;

/**
 * Puts atoms together to groups of at most `max` tokens. Where several places to cut are equally good, the text after
 * them decides (content-defined chunking, after Muthitacharoen, Chen and Mazières 2001, "A Low-bandwidth Network File
 * System"), so that an edit moves the cuts near it and no others.
 */
export function packAtoms(atoms: Atom[], max: number): Atom[][] {
  const groups: Atom[][] = [];
  let total = atoms.reduce((sum, { size }) => sum + size, 0);
  let start = 0;
  while (start < atoms.length) {
    const end = chooseEnd(atoms, start, max, total);
    const group = atoms.slice(start, end);
    groups.push(group);
    total -= group.reduce((sum, { size }) => sum + size, 0);
    start = end;
  }
  return groups;
}

interface Candidate {
  end: number;
  rank: number;
  tie: number;
}

function chooseEnd(atoms: Atom[], start: number, max: number, total: number): number {
  let best: Candidate | null = null;
  let size = atoms[start]?.lead?.size ?? 0;
  let own = 0;
  for (let end = start; end < atoms.length; end++) {
    const atom = atoms[end];
    if (atom === undefined) break;
    if (end > start) {
      const candidate = rate(atom, end, size / max, (total - own) / max);
      if (best === null || isBetter(candidate, best)) best = candidate;
    }
    size += atom.size;
    own += atom.size;
    if (size > max) return best?.end ?? start + 1;
  }
  return atoms.length;
}

/** A lower rank is better: first the kind of the cut, then that neither side becomes too small. */
function rate(atom: Atom, end: number, filled: number, left: number): Candidate {
  if (filled < USEFUL_SHARE_MIN) return { end, rank: atom.cut + 10, tie: -filled };
  if (filled < FULL_SHARE_MIN) return { end, rank: atom.cut + 1.5, tie: -filled };
  return { end, rank: left < USEFUL_SHARE_MIN ? atom.cut + 1 : atom.cut, tie: hash(atom.text) };
}

function isBetter(a: Candidate, b: Candidate): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.tie < b.tie);
}

/** FNV-1a over UTF-16 units, 32 bits: spreads the cuts evenly and needs no secrecy. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
