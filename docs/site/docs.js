// What the documentation does in the browser: the theme that the console uses too, search, and trying operations.
const themeKey = 'dailies-theme'
const root = document.documentElement
/** `docs/`, seen from this script: pages may be one level higher or lower. */
const docs = new URL('../../', document.currentScript.src)
const addressDefault = 'http://127.0.0.1:8080'
const guidesForClients = ['docs', 'quickstart', 'examples', 'api', 'client', 'callbacks', 'mcp']
const chosen = localStorage.getItem(themeKey)
if (chosen === 'dark' || chosen === 'light') root.dataset.theme = chosen

document.addEventListener('DOMContentLoaded', () => {
  document.getElementById('theme').addEventListener('click', () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.theme = isDark ? 'light' : 'dark'
    localStorage.setItem(themeKey, root.dataset.theme)
  })
  if (matchMedia('(max-width: 760px)').matches) document.querySelector('.side details').open = false
  startSearch(document.getElementById('search'), document.getElementById('found'))
  if (guidesForClients.includes(location.pathname.split('/').pop())) nameThisService()
  for (const pre of document.querySelectorAll('main pre')) addCopyButton(pre)
  for (const form of document.querySelectorAll('.try')) form.addEventListener('submit', tryOperation)
  const open = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (target?.tagName === 'DETAILS') target.open = true
  }
  addEventListener('hashchange', open)
  open()
})

/** Commands and code to copy call this service, wherever it is served. The guides for operators keep the default. */
function nameThisService() {
  const here = new URL('..', docs).href.replace(/\/$/, '')
  for (const code of document.querySelectorAll('main pre code')) {
    code.textContent = code.textContent.replaceAll(addressDefault, here)
  }
}

/** Only where the browser lets pages write to the clipboard: over https, and on this machine. */
function addCopyButton(pre) {
  if (!navigator.clipboard) return
  const box = document.createElement('div')
  box.className = 'copied'
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent.trimEnd()).then(
      () => {
        button.textContent = 'Copied'
      },
      () => {
        button.textContent = 'Not copied'
      },
    )
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  pre.replaceWith(box)
  box.append(pre, button)
}

function startSearch(field, list) {
  let entries = null
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return
    event.preventDefault()
    field.focus()
  })
  field.form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  field.addEventListener('input', async () => {
    entries ??= await (await fetch(new URL('search.json', docs))).json()
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = words.length === 0 ? [] : bestOf(entries, words)
    list.replaceChildren(...(found.length === 0 ? [nothingFound()] : found.map(itemOf)))
    list.hidden = words.length === 0
  })
  field.form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') list.hidden = true
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || list.hidden) return
    event.preventDefault()
    const stops = [field, ...list.querySelectorAll('a')]
    const next = stops.indexOf(document.activeElement) + step
    stops[(next + stops.length) % stops.length].focus()
  })
  addEventListener('click', (event) => {
    if (!field.form.contains(event.target) || event.target.closest('a')) list.hidden = true
  })
}

/** Every word must be there; a word in a heading counts for more than one in the text. */
function bestOf(entries, words) {
  const scored = entries.map((entry) => {
    const heading = `${entry.page} ${entry.heading}`.toLowerCase()
    const text = entry.text.toLowerCase()
    const scores = words.map((word) => (heading.includes(word) ? 10 : 0) + (text.includes(word) ? 1 : 0))
    return { entry, score: scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map(({ entry }) => entry)
}

function nothingFound() {
  const item = document.createElement('li')
  item.textContent = 'Nothing found'
  return item
}

function itemOf(entry) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = new URL(entry.slug + (entry.id ? `#${entry.id}` : ''), docs).href
  const page = document.createElement('span')
  page.textContent = ` ${entry.page}`
  link.append(entry.heading, page)
  item.append(link)
  return item
}

async function tryOperation(event) {
  event.preventDefault()
  const form = event.currentTarget
  const { method, path } = form.closest('.operation').dataset
  const key = document.getElementById('key').value.trim()
  const query = new URLSearchParams()
  let address = path
  let body
  for (const field of form.querySelectorAll('[data-in]')) {
    if (field.dataset.in === 'body') body = field.value
    else if (field.dataset.in === 'path') address = address.replace(`{${field.name}}`, encodeURIComponent(field.value))
    else if (field.value !== '') query.set(field.name, field.value)
  }
  const headers = { 'x-dailies-console': '1' }
  if (key) headers.authorization = `Bearer ${key}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  const output = form.querySelector('output')
  output.textContent = 'Sending…'
  const startedAt = performance.now()
  try {
    const response = await fetch(new URL(`..${address}${query.size > 0 ? `?${query}` : ''}`, docs), {
      method: method.toUpperCase(),
      headers,
      body,
    })
    const text = await response.text()
    const ms = Math.round(performance.now() - startedAt)
    const pre = document.createElement('pre')
    pre.tabIndex = 0
    pre.textContent = pretty(text)
    output.replaceChildren(`${response.status}, ${ms} ms`, pre)
  } catch (error) {
    output.textContent = `No response: ${error.message}`
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text.slice(0, 20_000)
  }
}
