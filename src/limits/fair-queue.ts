// Waiting items in fair order: each item belongs to a share, such as [account, key], and shares take turns at every
// level. Items within one share are served first come, first served. It has no limits and runs nothing.

type Share = readonly string[]

interface FairQueue<T> {
  readonly size: number
  add(share: Share, item: T): void
  /** Removes and returns the next item in turn for which `mayTake` is true. */
  take(mayTake?: (item: T) => boolean): T | undefined
  /** Removes the items for which `matches` is true. */
  remove(share: Share, matches: (item: T) => boolean): T[]
}

interface Branch<T> {
  items: T[]
  /** In turn order: a branch that was served moves to the end. */
  branches: Map<string, Branch<T>>
}

const newBranch = <T>(): Branch<T> => ({ items: [], branches: new Map() })
const isEmpty = <T>({ items, branches }: Branch<T>) => items.length === 0 && branches.size === 0

export function createFairQueue<T>(): FairQueue<T> {
  const root = newBranch<T>()
  let size = 0

  function takeFrom(branch: Branch<T>, mayTake: (item: T) => boolean): T | undefined {
    const place = branch.items.findIndex(mayTake)
    if (place >= 0) return branch.items.splice(place, 1)[0]
    for (const [name, child] of branch.branches) {
      const item = takeFrom(child, mayTake)
      if (item === undefined) continue
      branch.branches.delete(name)
      if (!isEmpty(child)) branch.branches.set(name, child)
      return item
    }
    return undefined
  }

  function removeFrom(branch: Branch<T>, share: Share, matches: (item: T) => boolean): T[] {
    const [name, ...rest] = share
    if (name === undefined) {
      const removed = branch.items.filter(matches)
      branch.items = branch.items.filter((item) => !matches(item))
      return removed
    }
    const child = branch.branches.get(name)
    if (child === undefined) return []
    const removed = removeFrom(child, rest, matches)
    if (isEmpty(child)) branch.branches.delete(name)
    return removed
  }

  return {
    get size() {
      return size
    },
    add(share, item) {
      let branch = root
      for (const name of share) {
        const next = branch.branches.get(name) ?? newBranch<T>()
        branch.branches.set(name, next)
        branch = next
      }
      branch.items.push(item)
      size++
    },
    take(mayTake = () => true) {
      const item = takeFrom(root, mayTake)
      if (item !== undefined) size--
      return item
    },
    remove(share, matches) {
      const removed = removeFrom(root, share, matches)
      size -= removed.length
      return removed
    },
  }
}
