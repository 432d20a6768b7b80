const count = new Intl.NumberFormat("en");

/** `1 source`, `1,200 sources`. Its own copy, because the client imports nothing from the rest of the project. */
export function counted(number: number, noun: string): string {
  return `${count.format(number)} ${noun}${number === 1 ? "" : "s"}`;
}
