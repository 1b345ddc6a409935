// What a browser sees at a path that does not exist. Programs get the envelope.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

const style = `:root { color-scheme: light dark; background: light-dark(#f7f5f0, #0e0d0c); color: light-dark(#1a1815, #ede8e0) }
body { display: grid; place-items: center; min-height: 90vh; margin: 0; font: 16px/24px system-ui, sans-serif }
main { max-width: 30rem; padding: 24px }
h1 { font-size: 32px; line-height: 40px }
a { color: light-dark(#8f4c00, #f2b25c) }`

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Page not found · Dailies</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>There is no page here</h1>
<p>The link may be incomplete, or what it led to has expired or was deleted.</p>
<p><a href="/">Go to the console</a> or <a href="/docs">read the documentation</a>.</p>
</main>
</body>
</html>
`

/** Browsers ask for HTML when a person follows a link, and for anything when a program in a page fetches. */
export function wantsPage(request: FastifyRequest): boolean {
  const isApi = /^\/(api|v1)\//.test(request.url)
  return !isApi && request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
}

export function sendNotFoundPage(reply: FastifyReply): FastifyReply {
  const policy = `default-src 'none'; img-src 'self'; style-src 'sha256-${hash('sha256', style, 'base64')}'; frame-ancestors 'none'`
  return reply
    .code(404)
    .header('content-security-policy', policy)
    .header('content-type', 'text/html; charset=utf-8')
    .send(page)
}
