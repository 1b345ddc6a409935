// Every route of a service as one list, for the tests that are about all of them: those of the OpenAPI document, and the
// pages, files and health checks that it leaves out. It is what the server serves, so that a new route cannot escape.
import type { Route } from '../../../src/http/route.ts'
import type { TestService } from './service.ts'

export interface ListedRoute extends Pick<Route, 'method' | 'access' | 'scope' | 'filePart' | 'streams'> {
  endpoint: string
  /** Its path, with a value for every parameter. */
  path: string
}

/** Why each route without a key needs none. */
export const openReasons: Record<string, string> = {
  'GET /': 'the console, which asks for a key itself',
  'GET /console/assets/:name': 'part of the console',
  'GET /console/session': 'tells whether the cookie of the request is valid',
  'POST /console/session': 'the key is in the body',
  'DELETE /console/session': 'ends the session that the cookie names',
  'GET /favicon.ico': 'part of the pages',
  'GET /docs': 'documentation',
  'GET /docs/:slug': 'documentation',
  'GET /docs/search.json': 'documentation',
  'GET /docs/samples/:file': 'documentation',
  'GET /docs/assets/:version/:file': 'documentation',
  'GET /openapi.json': 'documentation',
  'GET /files/:token': 'the URL is the secret',
  'GET /files/:token/:name': 'the URL is the secret',
  'HEAD /files/:token': 'the URL is the secret',
  'HEAD /files/:token/:name': 'the URL is the secret',
  'GET /s/:token': 'the URL is the secret',
  'GET /s/:token/video': 'the URL is the secret',
  'GET /s/:token/poster': 'the URL is the secret',
  'HEAD /s/:token/video': 'the URL is the secret',
  'HEAD /s/:token/poster': 'the URL is the secret',
  'GET /livez': 'for monitors',
  'GET /readyz': 'for monitors',
  'GET /metrics': 'for monitors',
}

export function routeList({ app }: Pick<TestService, 'app'>): ListedRoute[] {
  return app.routes.map(({ method, path, access, scope, filePart, streams }) => ({
    endpoint: `${method} ${path}`,
    method,
    path: examplePath(path),
    access,
    ...(scope === undefined ? {} : { scope }),
    ...(filePart === undefined ? {} : { filePart }),
    ...(streams === undefined ? {} : { streams }),
  }))
}

export const examplePath = (path: string) => path.replaceAll(/:\w+/g, 'x').replace('*', 'x')

/** The endpoints that the server itself names: `GET /livez`. */
export function servedEndpoints({ app }: Pick<TestService, 'app'>): string[] {
  const above: string[] = []
  return app.server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent, segment, methods] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?/.exec(line) ?? []
      if (indent === undefined) return []
      const depth = indent.length / 4
      above.length = depth
      above.push(segment!)
      return (methods?.split(', ') ?? []).map((method) => `${method} ${above.join('')}`)
    })
}
