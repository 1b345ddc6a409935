// The console: how large it is, how soon it paints, how much it jumps while it settles, and how long the service takes to
// answer list, gallery and operator with 100,000 tasks in the database, from the newest page to the oldest, with filters
// and searches, on SQLite and PostgreSQL.   node bench/console.ts
import { globSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { newId } from '../src/platform/ids.ts'
import { openBrowser, signIn } from '../test/support/browser/chromium.ts'
import { databases } from '../test/support/places/places.ts'
import { taskBody, variantA, variantB } from '../test/support/service/api.ts'
import { startService, type TestService } from '../test/support/service/service.ts'

const tasks = 100_000
const insertAtOnce = 1000
const loads = 5
const asks = 30
/** Thumbnails and the first look at the service's state come within this time. */
const settleMs = 3000

const quantile = (values: number[], q: number) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * q)]!

/** Ended tasks of two models, written straight into the database; one in a hundred failed. Returns ids, oldest first. */
async function fillTasks({ app: { db } }: TestService): Promise<string[]> {
  const key = await db.one<{ id: string; account_id: string }>('select id, account_id from keys limit 1')
  const nowMs = Date.now()
  const ids: string[] = []
  for (let from = 0; from < tasks; from += insertAtOnce) {
    const rows = Array.from({ length: insertAtOnce }, (_, index) => {
      const number = from + index
      const at = nowMs - (tasks - number) * 5000
      const failed = number % 100 === 7
      const body = {
        ...taskBody(`Take ${number}: the boat leaves the harbour, the camera follows`),
        model: number % 3 === 0 ? variantB : variantA,
      }
      const id = newId(at)
      ids.push(id)
      return {
        id,
        account_id: key!.account_id,
        key_id: key!.id,
        model: body.model,
        engine: 'scripted',
        via: 'task',
        state: failed ? 'fail' : 'success',
        param: JSON.stringify(body),
        request: JSON.stringify({ prompt: body.input.prompt, firstFrame: { url: 'https://example.com/a.png' } }),
        ignored_fields: '[]',
        price: 42,
        virtual_start: 0,
        virtual_finish: 0,
        progress: failed ? 0 : 100,
        video: failed
          ? null
          : JSON.stringify({
              id,
              video: { token: id, name: 'v.mp4' },
              thumbnail: { token: id, name: 't.jpg' },
              lastFrame: { token: id, name: 'l.jpg' },
            }),
        fail_code: failed ? '501' : null,
        fail_reason: failed ? 'engine_failed' : null,
        fail_msg: failed ? 'The engine gave up.' : null,
        created_at: at,
        updated_at: at,
        state_at: at,
        completed_at: at + 4000,
        expires_at: failed ? null : nowMs + 86_400_000,
      }
    })
    const attempts = rows.map(({ id, engine, state, created_at: at }) => ({
      task_id: id,
      number: 1,
      engine,
      worker: 'bench:1',
      claim: id,
      started_at: at,
      ended_at: at + 4000,
      outcome: state === 'fail' ? 'failed' : 'succeeded',
      reason: null,
    }))
    await db.transaction(async (tx) => {
      await tx.insert('tasks', rows)
      await tx.insert('task_attempts', attempts)
    })
  }
  return ids
}

async function measureList(database: string, { api }: TestService, ids: string[]): Promise<void> {
  console.log(`${database}: lists of ${tasks} tasks, pages of 100, ${asks} answers each (goal: under 100 ms)`)
  const middle = ids[tasks / 2]
  const list = {
    'newest page': '',
    'page in the middle': `&cursor=${middle}`,
    'oldest page': `&cursor=${ids[100]}`,
    'failed only': '&state=fail',
    'failed only, in the middle': `&state=fail&cursor=${middle}`,
    'a state that no task is in': '&state=generating',
    'one model': `&model=${encodeURIComponent(variantB)}`,
    'a model that no task has': '&model=none',
    'text in every prompt': '&q=harbour',
    'text in one of a thousand': '&q=take%2099',
    'text in no prompt': '&q=submarine',
    'text, one model, in the middle': `&q=boat&model=${encodeURIComponent(variantB)}&cursor=${middle}`,
    'text among the failed': '&q=harbour&state=fail',
  }
  const everyAccount = {
    'every account, newest page': '',
    'every account, failed only': '&state=fail',
    'every account, text in no prompt': '&q=submarine',
  }
  const questions = [
    ...Object.entries(list).map(([name, query]) => [name, `jobs/list?limit=100${query}`] as const),
    ...Object.entries(everyAccount).map(([name, query]) => [name, `operator/tasks?limit=100${query}`] as const),
    ['engines, hour by hour', 'operator/engines/history'] as const,
  ]
  for (const [name, path] of questions) {
    const ms: number[] = []
    for (let ask = 0; ask < asks; ask++) {
      const from = performance.now()
      const { status } = await api.get(`/api/v1/${path}`)
      if (status !== 200) throw new Error(`${name} answered ${status}`)
      ms.push(performance.now() - from)
    }
    console.log(
      `  ${name.padEnd(33)} median ${quantile(ms, 0.5).toFixed(1)} ms, slowest ${Math.max(...ms).toFixed(1)} ms`,
    )
  }
}

async function measurePage({ url }: TestService): Promise<void> {
  const paints: number[] = []
  const shifts: number[] = []
  for (let load = 0; load < loads; load++) {
    const browser = await openBrowser(url)
    try {
      await browser.page.goto(url)
      await browser.page.getByLabel('API key').waitFor()
      paints.push(await firstPaintMs(browser.page))
      await signIn(browser.page, url)
      await browser.page.locator('.price strong:has-text("credits")').waitFor()
      await browser.page.getByRole('link', { name: 'Tasks' }).click()
      await browser.page.locator('.task-row').first().waitFor()
      await browser.page.waitForTimeout(settleMs)
      shifts.push(await layoutShift(browser.page))
      if (load === loads - 1) await measureScrolling(browser.page)
    } finally {
      await browser.close()
    }
  }
  console.log(`First contentful paint, ${loads} new browsers (goal: under 0.5 s)`)
  console.log(`  median ${quantile(paints, 0.5).toFixed(0)} ms, slowest ${Math.max(...paints).toFixed(0)} ms`)
  console.log('Layout shift from the way in to the task list (goal: under 0.1)')
  console.log(`  largest ${Math.max(...shifts).toFixed(4)}`)
}

const firstPaintMs = (page: Page) =>
  page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime")

/** The sum of all shifts that no input caused. */
const layoutShift = (page: Page) =>
  page.evaluate<number>(
    `new Promise((resolve) => {
       let sum = 0
       new PerformanceObserver((list) => {
         for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value
       }).observe({ type: 'layout-shift', buffered: true })
       setTimeout(() => resolve(sum), 300)
     })`,
  )

/** Scrolls to the end of what is loaded, again and again, like a user who looks for an old take. */
async function measureScrolling(page: Page): Promise<void> {
  const { rows, loaded, slowestMs } = await page.evaluate<{ rows: number; loaded: number; slowestMs: number }>(
    `(async () => {
       let last = performance.now()
       let slowestMs = 0
       for (let frame = 0; frame < 600; frame++) {
         scrollBy(0, 600)
         await new Promise(requestAnimationFrame)
         const now = performance.now()
         slowestMs = Math.max(slowestMs, now - last)
         last = now
       }
       const list = document.querySelector('.windowed')
       return { rows: list.children.length, loaded: Math.round(list.clientHeight / 88), slowestMs }
     })()`,
  )
  console.log('Scrolling the task list, 600 frames of 600 px')
  console.log(`  ${loaded} tasks loaded, ${rows} rows on the page, slowest frame ${slowestMs.toFixed(0)} ms`)
}

/** What a browser loads for the console, without the documentation. */
function printSizes(): void {
  const built = fileURLToPath(new URL('../console/dist/', import.meta.url))
  const kinds = Map.groupBy(globSync('**/*.{html,js,css,svg}', { cwd: built }), (file) => extname(file))
  const bytesOf = (files: string[]) =>
    files.reduce((sum, file) => sum + gzipSync(readFileSync(built + file), { level: 9 }).length, 0)
  const sizes = [...kinds].map(([kind, files]) => [kind, bytesOf(files)] as const)
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
  console.log('The console, gzipped (goal: under 150 kB)')
  console.log(
    `  ${kilobytes(bytesOf([...kinds.values()].flat()))}: ${sizes.map(([k, b]) => `${k} ${kilobytes(b)}`).join(', ')}`,
  )
}

printSizes()
for (const [index, { name, create }] of databases.entries()) {
  const place = await create()
  try {
    const service = await startService(place.env)
    try {
      const ids = await fillTasks(service)
      await measureList(name, service, ids)
      // What the browser does is the same on either.
      if (index === 0) await measurePage(service)
    } finally {
      await service.stop()
    }
  } finally {
    await place.stop()
  }
}
