// The guides: the project's own Markdown files as HTML.
import { readFileSync } from 'node:fs'
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '../../src/http/routes/pages/models-page.ts'

export interface Guide {
  slug: string
  title: string
  html: string
  headings: { id: string; text: string }[]
  /** Text by heading, for the search. */
  parts: { id: string; heading: string; text: string }[]
}

const project = new URL('../../', import.meta.url)

const files: [slug: string, path: string][] = [
  ['quickstart', 'docs/quickstart.md'],
  ['api', 'docs/api.md'],
  ['client', 'docs/client.md'],
  ['callbacks', 'docs/callbacks.md'],
  ['engines', 'docs/engines.md'],
  ['mcp', 'docs/mcp.md'],
  ['operating', 'docs/operating.md'],
  ['scaling', 'docs/scaling.md'],
  ['architecture', 'docs/architecture.md'],
  ['contributing', 'docs/contributing.md'],
  ['examples', 'examples/README.md'],
  ['changelog', 'CHANGELOG.md'],
]

export function readGuides(): Guide[] {
  return files.map(([slug, path]) => readGuide(slug, readFileSync(new URL(path, project), 'utf8')))
}

function readGuide(slug: string, text: string): Guide {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? slug
  const headings: Guide['headings'] = []
  let tables = 0
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: words }) {
        const id = idOf(words)
        const html = this.parser.parseInline(tokens)
        if (depth === 2) headings.push({ id, text: words.replace(/[`*_]/g, '') })
        return depth === 1
          ? `<h1>${html}</h1>\n`
          : `<h${depth} id="${id}"><a class="anchor" href="#${id}">${html}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        const to = addressOf(href)
        return to === null ? words : `<a href="${to}">${words}</a>`
      },
      image: ({ href, text: words }) => `<img src="${addressOf(href)}" alt="${escapeHtml(words)}" loading="lazy">`,
      table({ header, rows }) {
        tables++
        const cell = (tag: string) => (one: Tokens.TableCell) => {
          const inner = this.parser.parseInline(one.tokens)
          return inner === '' ? '<td></td>' : `<${tag}>${inner}</${tag}>`
        }
        const row = (cells: Tokens.TableCell[], tag: string) => `<tr>${cells.map(cell(tag)).join('')}</tr>`
        const head = header.every(({ text: words }) => words === '') ? '' : `<thead>${row(header, 'th')}</thead>`
        const body = rows.map((cells) => row(cells, 'td')).join('')
        return `<div class="table" tabindex="0" role="region" aria-label="Table ${tables}"><table>${head}<tbody>${body}</tbody></table></div>\n`
      },
      code: ({ text: code }) => `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>\n`,
    },
  })
  return { slug, title, html: marked.parse(text, { async: false }), headings, parts: searchable(text, title) }
}

/** Text below each heading, cut to what a search needs. */
function searchable(text: string, title: string): Guide['parts'] {
  return text.split(/^(?=#{1,4} )/m).map((part) => {
    const [first = '', ...rest] = part.split('\n')
    const heading = first.replace(/^#+ /, '').replace(/[`*_]/g, '')
    const id = first.startsWith('# ') ? '' : idOf(first.replace(/^#+ /, ''))
    return {
      id,
      heading: heading || title,
      text: rest
        .join(' ')
        .replace(/[|`*#]/g, ' ')
        .replace(/\s+/g, ' ')
        .slice(0, 4000),
    }
  })
}

/** As GitHub makes them, so that links in the files work there and here. */
function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/<[^>]+>|[`*]/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** Where a link of a Markdown file leads on the site; null for files that the site does not serve. */
function addressOf(href: string): string | null {
  if (/^(https?:|#|mailto:)/.test(href)) return href
  const [path = '', fragment] = href.split('#')
  const hash = fragment === undefined ? '' : `#${fragment}`
  const sample = /(?:^|\/)samples\/([\w.-]+)$/.exec(path)?.[1]
  if (sample) return `samples/${sample}`
  const page = files.find(([, file]) => file.endsWith(path.replace(/^(\.\.?\/)+/, '')))
  return page && path.endsWith('.md') ? `${page[0]}${hash}` : null
}
