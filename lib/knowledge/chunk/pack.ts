import type { Atom } from "./atoms.ts";

/** A chunk is at least this part of the most it may be, where the text allows. */
const FULL_SHARE_MIN = 0.5;
/** A chunk of less is worth little by itself. */
const USEFUL_SHARE_MIN = 0.15;
/** What is looked at before a cut, in chunks: one and a useful rest, if there is as much. */
const LOOK_AHEAD = 1.5;

/**
 * Puts atoms together to groups of at most `max` tokens, each when it is asked for. Where several places to cut are
 * equally good, the text after them decides (content-defined chunking, after Muthitacharoen, Chen and Mazières 2001, "A
 * Low-bandwidth Network File System"), so that an edit moves the cuts near it and no others.
 */
export function* packAtoms(atoms: Iterable<Atom>, max: number): Generator<Atom[]> {
  let ahead: Atom[] = [];
  let total = 0;
  for (const atom of atoms) {
    ahead.push(atom);
    total += atom.size;
    // a cut depends on no more than what fits and whether a useful rest follows
    if (total < LOOK_AHEAD * max) continue;
    const end = chooseEnd(ahead, max, total);
    yield ahead.slice(0, end);
    ahead = ahead.slice(end);
    total = sizeOf(ahead);
  }
  while (ahead.length > 0) {
    const end = chooseEnd(ahead, max, sizeOf(ahead));
    yield ahead.slice(0, end);
    ahead = ahead.slice(end);
  }
}

function sizeOf(atoms: Atom[]): number {
  return atoms.reduce((sum, { size }) => sum + size, 0);
}

interface Candidate {
  end: number;
  rank: number;
  tie: number;
}

/** @param total the size of all the atoms */
function chooseEnd(atoms: Atom[], max: number, total: number): number {
  let best: Candidate | null = null;
  let size = atoms[0]?.lead?.size ?? 0;
  let own = 0;
  for (const [end, atom] of atoms.entries()) {
    if (end > 0) {
      const candidate = rate(atom, end, size / max, (total - own) / max);
      if (best === null || isBetter(candidate, best)) best = candidate;
    }
    size += atom.size;
    own += atom.size;
    if (size > max) return best?.end ?? 1;
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
