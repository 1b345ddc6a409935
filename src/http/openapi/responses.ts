// The errors of the API as OpenAPI responses, which of them a route can answer, and the headers that answers carry.
import { errorCodes } from '../../platform/errors.ts'

import type { Route } from '../server/route.ts'

export type Json = { [name: string]: unknown }

/** What each code means to a client, and a message as it may read. */
const errors: Record<number, { description: string; example: string }> = {
  401: { description: 'The API key is missing or not valid.', example: errorCodes[401] },
  402: {
    description: 'The account has too few credits. Nothing was created.',
    example: errorCodes[402],
  },
  404: {
    description: 'There is no such path or resource, or it belongs to somebody else.',
    example: 'There is no task with this id.',
  },
  408: { description: 'The generator gave no result for too long.', example: errorCodes[408] },
  416: { description: 'The range lies outside the file.', example: 'The range lies outside the file.' },
  422: {
    description: 'The request is not valid; every wrong field is named.',
    example: 'input.prompt: is required; input.duration: must be "5" or "10"',
  },
  429: {
    description: 'Too many requests, or too many unfinished tasks.',
    example: 'Too many requests: at most 10000 in 10 s. Try again in 3 s.',
  },
  433: {
    description: 'The request limit or the credit limit of this sub-key is used up.',
    example: 'This sub-key may make 100 requests a day.',
  },
  455: {
    description: 'The service takes no new work: maintenance, or too much load.',
    example: 'The service is under maintenance; running tasks go on.',
  },
  500: {
    description: 'Something unexpected. The message carries a request id and nothing else.',
    example: 'Something unexpected went wrong on our side. Please report it with the request id 3nP0a1yQmXk2Vd7s.',
  },
  501: { description: 'The video could not be generated.', example: errorCodes[501] },
  503: { description: 'Not ready.', example: 'not ready: the database does not answer' },
  505: {
    description: 'A feature that the request needs is switched off.',
    example: 'The feature 4k is switched off.',
  },
}

/** In ascending order. */
export function errorCodesOf(route: Route): number[] {
  const codes = new Set([500, ...(route.codes ?? [])])
  if (route.access !== 'open') for (const code of [401, 429, 433]) codes.add(code)
  if (route.access === 'main-key' || route.access === 'operator') codes.add(404)
  if (route.access !== 'open' && (route.method !== 'GET' || route.query)) codes.add(422)
  if (route.createsWork) codes.add(455)
  if (route.feature) codes.add(505)
  return [...codes].sort((a, b) => a - b)
}

const headerRef = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } })

export function errorRef(code: number): Json {
  if (!errors[code]) throw new Error(`no description of the code ${code}`)
  return { $ref: `#/components/responses/Error${code}` }
}

export const errorResponses: Json = Object.fromEntries(
  Object.entries(errors).map(([code, { description, example }]) => [
    `Error${code}`,
    {
      description,
      headers: {
        ...headerRef('x-request-id'),
        ...(code === '401' ? headerRef('WWW-Authenticate') : {}),
        ...(code === '429' || code === '455' ? headerRef('Retry-After') : {}),
        ...(code === '429' ? { ...headerRef('RateLimit'), ...headerRef('RateLimit-Policy') } : {}),
      },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          example: { code: Number(code), msg: example, data: null },
        },
      },
    },
  ]),
)

export function successHeaders(route: Route): Json {
  return {
    ...headerRef('x-request-id'),
    ...(route.access === 'open' ? {} : { ...headerRef('RateLimit'), ...headerRef('RateLimit-Policy') }),
  }
}

const header = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })

export const responseHeaders: Json = {
  'x-request-id': header('Names this request in the log of the service.', '3nP0a1yQmXk2Vd7s'),
  'WWW-Authenticate': header('How to authenticate.', 'Bearer'),
  'Retry-After': header('Seconds after which to try again.', '3'),
  RateLimit: header('Requests left in the window, and seconds until there are more.', '"default";r=9998;t=10'),
  'RateLimit-Policy': header('Requests allowed in a window of so many seconds.', '"default";q=10000;w=10'),
}
