// The frame of a documentation page: navigation, search, theme. Addresses are relative, so that the site also works
// behind a path prefix; pages are at `docs/<slug>`, so `..` is where the service is.
import { escapeHtml } from '../../src/http/routes/pages/models-page.ts'

export interface Shown {
  slug: string
  title: string
  html: string
  headings: { id: string; text: string }[]
}

const groups: [title: string, slugs: string[]][] = [
  ['Start', ['quickstart', 'examples']],
  ['Guides', ['api', 'client', 'callbacks', 'mcp', 'engines', 'operating', 'scaling']],
  ['Reference', ['reference', 'models']],
  ['Project', ['architecture', 'contributing', 'changelog']],
]

export function pageHtml(page: Shown, titles: Map<string, string>, version: string): string {
  const assets = `assets/${version}`
  const link = (slug: string) =>
    `<li><a href="${slug}"${slug === page.slug ? ' aria-current="page"' : ''}>${escapeHtml(titles.get(slug) ?? slug)}</a></li>`
  const nav = groups.map(([title, slugs]) => `<h2>${title}</h2><ul>${slugs.map(link).join('')}</ul>`).join('')
  const contents =
    page.headings.length < 2
      ? ''
      : `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${page.headings
          .map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`)
          .join('')}</ul></nav>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · Dailies</title>
<link rel="icon" type="image/svg+xml" href="${assets}/icon.svg">
<link rel="stylesheet" href="${assets}/docs.css">
<script src="${assets}/docs.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="../"><svg class="mark" width="16" height="18" viewBox="4 1 14 18" aria-hidden="true"><path d="M4 3.2v13.6a1 1 0 0 0 1.5.87l11.8-6.8a1 1 0 0 0 0-1.74L5.5 2.33A1 1 0 0 0 4 3.2z" fill="currentColor"/></svg> Dailies</a>
<form class="search" role="search"><input type="search" id="search" placeholder="Search (press /)" aria-label="Search the documentation" autocomplete="off"><ul id="found" aria-label="Found" hidden></ul></form>
<a class="to-console" href="../">Console</a>
<button type="button" id="theme" aria-label="Switch between dark and light">◐</button>
</header>
<div class="columns">
<nav class="side" aria-label="Documentation"><details open><summary>Contents</summary>${nav}</details></nav>
<main id="main" tabindex="-1">${page.html}</main>
${contents}
</div>
</body>
</html>
`
}
