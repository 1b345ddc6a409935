// A map with a maximum size: what was set least recently is dropped first.

interface RecentMap<Value> {
  get(name: string): Value | undefined
  set(name: string, value: Value): void
  delete(name: string): void
}

export function createRecentMap<Value>(max: number): RecentMap<Value> {
  const values = new Map<string, Value>()
  return {
    get: (name) => values.get(name),
    set(name, value) {
      // Inserted again, so that the map stays in the order of the last `set`.
      values.delete(name)
      values.set(name, value)
      if (values.size > max) values.delete(values.keys().next().value!)
    },
    delete: (name) => void values.delete(name),
  }
}
