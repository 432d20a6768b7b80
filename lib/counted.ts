const count = new Intl.NumberFormat("en");

/** A number for texts: `1,200`. */
export function countText(number: number): string {
  return count.format(number);
}

/** `1 source`, `1,200 sources`: a number with its noun, whose plural ends in s. */
export function counted(number: number, noun: string): string {
  return `${countText(number)} ${noun}${number === 1 ? "" : "s"}`;
}
