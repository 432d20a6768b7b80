import type { Atom } from "./atoms.ts";

/** A chunk fills at least this share of the maximum when the text allows it. */
const FULL_SHARE_MIN = 0.5;
/** A chunk below this share is too short to be useful. */
const USEFUL_SHARE_MIN = 0.15;
/** How much text to read before a cut, in chunks: one chunk and a useful rest. */
const LOOK_AHEAD = 1.5;

/**
 * Groups atoms lazily into groups of at most `max` tokens. When several places to cut are equally good, a hash of the
 * following text decides (content-defined chunking, after Muthitacharoen, Chen and Mazières 2001, "A Low-bandwidth
 * Network File System"), so that an edit moves only the cuts near it.
 */
export function* packAtoms(atoms: Iterable<Atom>, max: number): Generator<Atom[]> {
  let ahead: Atom[] = [];
  let total = 0;
  for (const atom of atoms) {
    ahead.push(atom);
    total += atom.size;
    // a cut depends only on the atoms that fit and on whether a useful rest follows
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

/** @param total the size of all atoms */
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

/** A lower rank is better: first by the kind of cut, then by whether either side becomes too small. */
function rate(atom: Atom, end: number, filled: number, left: number): Candidate {
  if (filled < USEFUL_SHARE_MIN) return { end, rank: atom.cut + 10, tie: -filled };
  if (filled < FULL_SHARE_MIN) return { end, rank: atom.cut + 1.5, tie: -filled };
  return { end, rank: left < USEFUL_SHARE_MIN ? atom.cut + 1 : atom.cut, tie: hash(atom.text) };
}

function isBetter(a: Candidate, b: Candidate): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.tie < b.tie);
}

/** FNV-1a over UTF-16 units, 32 bits: spreads the cuts evenly, and needs no cryptographic strength. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
