// The refusal of a request that no route takes: where the path is known with another method, or in another spelling, it
// says so. Only documented routes are named: the OpenAPI document lists them for anyone.
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
    // A client that wanted to read something must not be led to its deletion.
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
