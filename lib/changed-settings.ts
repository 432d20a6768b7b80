/** The settings that have another value than before. Missing entries count as unchanged. Pure; the browser uses it too. */
export function changedSettings<Settings extends object>(before: Settings, after: Settings): Partial<Settings> {
  const changed: Partial<Settings> = {};
  for (const name in after) {
    const value = after[name];
    if (value !== undefined && JSON.stringify(value) !== JSON.stringify(before[name])) changed[name] = value;
  }
  return changed;
}
