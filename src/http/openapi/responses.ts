// The errors of the API as OpenAPI responses, which of them a route can give, and the headers of responses.
import { type ApiError, apiError, type ErrorCode, errorCodes, invalid } from '../../contract/errors.ts'
import type { Route } from '../route.ts'
import { isOpenaiPath } from '../server/responses/envelope.ts'
import type { Json } from './schemas.ts'

/** An example message for each code that requests are refused with. */
const examples: Partial<Record<ErrorCode, ApiError>> = {
  401: apiError('unknown_api_key'),
  402: apiError('task_too_expensive', { price: 42, balance: 10 }),
  404: apiError('no_task'),
  408: apiError('generator_unreachable', { model: 'videomodel/v2-5-turbo-image-to-video-pro', retryAfterS: 30 }),
  422: invalid([
    { field: 'input.image_url', message: 'is required', suggestion: 'this model takes image_url, not image_urls' },
    { field: 'input.duration', message: 'must be "5" or "10"' },
  ]),
  429: apiError('rate_limited', { requests: 10_000, perMs: 10_000, retryAfterS: 3 }),
  433: apiError('request_limit_reached', { requests: 100, per: 'day' }),
  455: apiError('maintenance', { retryAfterS: 60 }),
  500: apiError('unexpected', { requestId: '3nP0a1yQmXk2Vd7s' }),
  503: apiError('not_ready', { problem: 'the database accepts no writes' }),
  505: apiError('feature_disabled', { feature: '4k' }),
}

/** In ascending order. */
export function errorCodesOf(route: Route): number[] {
  const codes = new Set<number>([500, ...(route.codes ?? [])])
  if (route.access !== 'open') for (const code of [401, 429, 433]) codes.add(code)
  // A resource in the path may not exist, and some routes exist for some keys only.
  if (route.path.includes(':') || route.access === 'main-key' || route.access === 'operator') codes.add(404)
  // Also for open routes: bytes that are not valid HTTP are refused with it.
  if (route.access === 'open' || route.method !== 'GET' || route.query) codes.add(422)
  if (route.createsWork) codes.add(455)
  if (route.feature) codes.add(505)
  return [...codes].sort((a, b) => a - b)
}

const headerRef = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } })

/** Refers to the response of an error, which is added to `responses`. */
export function errorRef(route: Route, code: number, responses: Json): Json {
  const isOpenai = isOpenaiPath(route.path)
  const name = `${isOpenai ? 'OpenAIError' : 'Error'}${code}`
  responses[name] ??= code === 416 ? noSuchRange : errorResponse(code as ErrorCode, isOpenai)
  return { $ref: `#/components/responses/${name}` }
}

const noSuchRange = { description: 'The range lies outside the file.', headers: headerRef('x-request-id') }

function errorResponse(code: ErrorCode, isOpenai: boolean): Json {
  const { message, openai, problems } = examples[code]!
  const example = isOpenai
    ? { error: { message, ...openai, param: code === 422 ? 'input' : null } }
    : { code, msg: message, data: null, ...(problems && { errors: problems }) }
  return {
    description: errorCodes[code].description,
    headers: {
      ...headerRef('x-request-id'),
      ...(code === 401 ? headerRef('WWW-Authenticate') : {}),
      ...(code === 429 || code === 433 || code === 455 ? headerRef('Retry-After') : {}),
      ...(code === 429 ? { ...headerRef('RateLimit'), ...headerRef('RateLimit-Policy') } : {}),
    },
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${isOpenai ? 'OpenAIError' : 'Error'}` },
        example,
      },
    },
  }
}

/** Those of routes that cost credits (creation.ts). */
const creationHeaders = ['x-credits-held', 'x-credits-left', 'x-ignored-fields']

export function successHeaders(route: Route): Json {
  return {
    ...headerRef('x-request-id'),
    ...(route.access === 'open' ? {} : { ...headerRef('RateLimit'), ...headerRef('RateLimit-Policy') }),
    ...(route.idempotent ? Object.assign({}, ...creationHeaders.map(headerRef)) : {}),
  }
}

const header = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })

export const responseHeaders: Json = {
  'x-request-id': header('Identifies this request in the log of the service.', '3nP0a1yQmXk2Vd7s'),
  'x-credits-held': header('The credits that this costs, or may cost; also of a repeat.', '42'),
  'x-credits-left': header('What the key may still spend: the balance, or what the limit of a sub-key leaves.', '958'),
  'x-ignored-fields': header(
    'Fields that are not known, separated by commas and percent-encoded; omitted where there are none.',
    'camera, input.style',
  ),
  'WWW-Authenticate': header('How to authenticate.', 'Bearer'),
  'Retry-After': header('Seconds after which to retry.', '3'),
  RateLimit: header('Requests left in the window, and seconds until there are more.', '"default";r=9998;t=10'),
  'RateLimit-Policy': header(
    'Requests allowed per window, and the length of the window in seconds.',
    '"default";q=10000;w=10',
  ),
}
