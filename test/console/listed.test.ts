// A list whose newest page is loaded again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withNewest } from '../../console/src/listed.ts'

/** One letter per item, and the cursor of what follows. */
const page = (items: string, nextCursor: string | null) => ({ items: [...items], nextCursor })
const self = (item: string) => item

for (const [what, list, newest, expected] of [
  ['nothing has changed', page('abcdef', 'f'), page('abc', 'c'), page('abcdef', 'f')],
  [
    'what is new moves others off the page, but not out of the list',
    page('abcdef', 'f'),
    page('yza', 'a'),
    page('yzabcdef', 'f'),
  ],
  ['what was deleted goes', page('abcdef', 'f'), page('acd', 'd'), page('acdef', 'f')],
  ['the last of a page that was deleted goes', page('abcdef', 'f'), page('abd', 'd'), page('abdef', 'f')],
  ['the page reaches past the list', page('abc', 'c'), page('acd', 'd'), page('acd', 'd')],
  ['everything fits on the page', page('abcdef', null), page('ab', null), page('ab', null)],
  ['more is new than a page holds', page('abc', null), page('xyz', 'z'), page('xyz', 'z')],
  ['a search has not found anything yet', page('abc', 'c'), page('', 'z'), page('abc', 'c')],
  ['nothing is left', page('abc', 'c'), page('', null), page('', null)],
] as const) {
  test(what, () => {
    assert.deepEqual(withNewest(list, newest, self), expected)
  })
}
