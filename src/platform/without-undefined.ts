/** The fields that have a value, for code that spreads them over defaults or distinguishes missing fields from given ones. */
export function withoutUndefined<T extends object>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>
  }
}
