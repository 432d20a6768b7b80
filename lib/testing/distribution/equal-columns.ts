/** Stands for a value that a statement names. */
export const VALUE = "value";

/** Which columns of a statement are equal to each other, and which to a value that the statement names. */
export class EqualColumns {
  private readonly parents = new Map<string, string>();
  private readonly oneWay: [from: string, to: string][] = [];

  join(one: string, other: string): void {
    this.parents.set(this.rootOf(one), this.rootOf(other));
  }

  /** `to` equals `from`, but does not limit it: the right side of a left join, or of a subquery. */
  follow(from: string, to: string): void {
    this.oneWay.push([from, to]);
  }

  haveValue(column: string): boolean {
    for (let open = this.unfollowed(); open.length > 0; open = this.unfollowed()) {
      for (const [, to] of open) this.join(to, VALUE);
    }
    return this.isValue(column);
  }

  private unfollowed() {
    return this.oneWay.filter(([from, to]) => this.isValue(from) && !this.isValue(to));
  }

  private isValue(column: string): boolean {
    return this.rootOf(column) === this.rootOf(VALUE);
  }

  private rootOf(column: string): string {
    const parent = this.parents.get(column) ?? column;
    return parent === column ? column : this.rootOf(parent);
  }
}
