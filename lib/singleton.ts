// on globalThis, because a bundled server may contain a module more than once
const holder: typeof globalThis & { ragstoneSingletons?: Map<string, unknown> } = globalThis;

interface Singleton<Value> {
  /** The value of this process, created at the first call. */
  get(): Value;
  /** The value, unless it was not created yet. */
  peek(): Value | undefined;
  /** Replaces the value. Without one, the next `get` creates it again. */
  set(value?: Value): void;
}

/** A value that a process has once. `name` must be unique. */
export function singleton<Value>(name: string, create: () => Value): Singleton<Value> {
  holder.ragstoneSingletons ??= new Map();
  const values = holder.ragstoneSingletons as Map<string, Value>;
  return {
    get() {
      const known = values.get(name);
      if (known !== undefined) return known;
      const created = create();
      values.set(name, created);
      return created;
    },
    peek: () => values.get(name),
    set(value) {
      if (value === undefined) values.delete(name);
      else values.set(name, value);
    },
  };
}
