// The 404 of a request that no route matches. It names the right method or spelling of a known path. Only documented routes
// are named, which the OpenAPI document lists anyway. A browser gets a page.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ApiError, apiError } from '../../contract/errors.ts'
import { openApiPath, type Route } from '../route.ts'

interface KnownPath {
  path: string
  segments: string[]
  methods: string[]
}

export function createUnrouted(routes: readonly Route[]): (request: FastifyRequest, reply: FastifyReply) => ApiError {
  const documented = routes.filter(({ operationId }) => operationId !== undefined)
  const known: KnownPath[] = [...Map.groupBy(documented, ({ path }) => path)].map(([path, ofPath]) => ({
    path: openApiPath(path),
    segments: path.split('/'),
    methods: ofPath.map(({ method }) => method),
  }))
  // `/jobs/createTask` is also a `/jobs/:taskId`: the path with fewer parameters is meant.
  known.sort((a, b) => parameterCount(a) - parameterCount(b))

  return (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    const trimmed = path.replace(/\/+$/, '').split('/')
    const meant = known.find(({ segments }) => matches(segments, trimmed, isSameButCase))
    if (!meant) return apiError('no_path')
    if (!matches(meant.segments, path.split('/'), isSame)) return apiError('other_spelling', { path: meant.path })
    reply.header('allow', meant.methods.join(', '))
    // A client that wants to read a resource must not be pointed to its deletion.
    const methods = meant.methods.filter((method) => method !== 'DELETE')
    return methods.length === 0 ? apiError('no_path') : apiError('other_method', { methods, path: meant.path })
  }
}

const isParameter = (segment: string) => segment.startsWith(':')
const parameterCount = ({ segments }: KnownPath) => segments.filter(isParameter).length
const isSame = (a: string, b: string) => a === b
const isSameButCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

function matches(segments: string[], sent: string[], isSame: (a: string, b: string) => boolean): boolean {
  return (
    segments.length === sent.length &&
    segments.every((segment, i) => (isParameter(segment) ? sent[i] !== '' : isSame(segment, sent[i]!)))
  )
}

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
