/** A function that computes its value once for each object, as long as the object lives. The object must not change. */
export function memoizeByObject<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const computed = compute(key);
    known.set(key, computed);
    return computed;
  };
}
