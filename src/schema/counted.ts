// A number with its noun in English: `1 second`, `2 seconds`.
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
