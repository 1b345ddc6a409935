// The OpenAPI description: sound by the rules of OpenAPI 3.1, and true to the routes and their schemas.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { z } from 'zod'
import type { Route } from '../../src/http/route.ts'
import { createCatalogue, parseCreateTask } from '../../src/models/catalogue.ts'
import { variantA, variantB } from '../support/service/api.ts'
import { startService, type TestService } from '../support/service/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into at every depth
type Any = any

const operationMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const keyOf = (route: Route) => `${route.method} ${route.path}`
const documentPath = (path: string) => path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')

describe('/openapi.json', () => {
  let service: TestService
  let document: Any
  let routes: Route[]
  before(async () => {
    service = await startService()
    const answer = await service.as(null).get('/openapi.json')
    assert.equal(answer.status, 200)
    document = answer.body
    routes = service.app.routes
  })
  after(() => service?.stop())

  const operations = (): { path: string; method: string; operation: Any }[] =>
    Object.entries(document.paths as Record<string, Any>).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    )

  test('says what it is and who serves it', () => {
    assert.match(document.openapi, /^3\.1\.\d+$/)
    assert.equal(document.info.title, 'Dailies')
    assert.match(document.info.version, /^\d+\.\d+\.\d+$/)
    assert.deepEqual(document.servers, [{ url: service.url }])
    assert.deepEqual(
      Object.keys(document).sort(),
      ['components', 'info', 'openapi', 'paths', 'servers', 'tags', 'webhooks'].sort(),
    )
  })

  test('describes every route of the service and no other', () => {
    const described = operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    const served = routes
      .filter((route) => route.operationId)
      .map((route) => `${route.method} ${documentPath(route.path)}`)
    assert.deepEqual(described.sort(), served.sort())
    for (const route of routes) {
      assert.ok(service.app.server.hasRoute({ method: route.method, url: route.path }), `${keyOf(route)} is not served`)
    }
    const hidden = routes.filter((route) => !route.operationId).map((route) => route.path)
    assert.ok(
      hidden.every((path) => path === '/' || /^\/(docs|console\/|s\/|favicon\.ico)/.test(path)),
      'only pages are left out',
    )
  })

  test('every reference leads somewhere', () => {
    let count = 0
    walk(document, (value) => {
      if (typeof value.$ref !== 'string') return
      count++
      assert.match(value.$ref, /^#\//)
      const found = value.$ref
        .slice(2)
        .split('/')
        .reduce((at: Any, part: string) => at?.[part.replace(/~1/g, '/').replace(/~0/g, '~')], document)
      assert.notEqual(found, undefined, value.$ref)
    })
    assert.ok(count > 100)
  })

  test('operations have unique ids, known tags, and parameters for every part of their path', () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    assert.deepEqual([...new Set(ids)], ids)
    const tagNames = document.tags.map((tag: Any) => tag.name)
    assert.deepEqual([...new Set(tagNames)], tagNames)
    for (const { path, method, operation } of operations()) {
      const where = `${method} ${path}`
      assert.ok(operationMethods.includes(method), where)
      assert.ok(operation.summary, where)
      for (const tag of operation.tags) assert.ok(tagNames.includes(tag), `${where}: ${tag}`)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      const declared = operation.parameters.filter((parameter: Any) => parameter.in === 'path')
      assert.deepEqual(
        declared.map((parameter: Any) => parameter.name),
        inPath,
        where,
      )
      assert.ok(
        declared.every((parameter: Any) => parameter.required === true),
        where,
      )
      const names = operation.parameters.map((parameter: Any) => `${parameter.in} ${parameter.name}`)
      assert.deepEqual([...new Set(names)], names, where)
      for (const parameter of operation.parameters) assert.ok(parameter.schema, `${where}: ${parameter.name}`)
      if (method === 'get' || method === 'head') assert.equal(operation.requestBody, undefined, where)
    }
  })

  test('a body is required where a request without one is refused', () => {
    const isRequired = (path: string) => document.paths[path].post.requestBody.required
    assert.equal(isRequired('/api/v1/jobs/createTask'), true)
    assert.equal(isRequired('/api/v1/keys'), true)
    assert.equal(isRequired('/api/v1/keys/{id}/rotate'), false)
    assert.equal(isRequired('/api/v1/jobs/{taskId}/shares'), false)
  })

  test('no two paths mean the same', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
    assert.deepEqual([...new Set(shapes)], shapes)
  })

  test('responses name their status, describe themselves and carry an example that fits', () => {
    for (const { path, method, operation } of operations()) {
      assert.ok(operation.responses['200'], `${method} ${path}`)
      for (const [status, given] of Object.entries(operation.responses as Record<string, Any>)) {
        const where = `${method} ${path} ${status}`
        assert.match(status, /^[2-5]\d\d$/, where)
        const response = given.$ref ? document.components.responses[given.$ref.split('/').at(-1)] : given
        assert.ok(response.description, where)
        if (status === '200') {
          const content = Object.values((response.content ?? {}) as Record<string, Any>)
          const isFile = path.startsWith('/files/') || /\/(content|preview)$/.test(path)
          assert.ok(isFile || content.some((part) => part.example !== undefined), `${where} has no example`)
          assert.ok(operation.description.length > 20, `${where} has no description`)
          continue
        }
        if (status === '416' || /^\/v1\/(openai|videos)/.test(path)) continue
        const { example } = response.content['application/json']
        assert.equal(example.code, Number(status), where)
        assert.equal(example.data, null, where)
        assert.ok(example.msg.length > 5, where)
      }
    }
  })

  test('errors are those that the checks before a handler can give', () => {
    const codesOf = (method: string, path: string) => Object.keys(document.paths[path][method].responses)
    assert.deepEqual(codesOf('post', '/api/v1/jobs/createTask'), [
      '200',
      '401',
      '402',
      '408',
      '422',
      '429',
      '433',
      '455',
      '500',
      '505',
    ])
    assert.deepEqual(codesOf('get', '/api/v1/video/recordInfo'), ['200', '401', '404', '422', '429', '433', '500'])
    assert.deepEqual(codesOf('get', '/api/v1/operator/status'), ['200', '401', '404', '429', '433', '500'])
    assert.deepEqual(codesOf('get', '/readyz'), ['200', '422', '500', '503'])
  })

  test('what needs a key says so, what is open does not', () => {
    for (const route of routes.filter((route) => route.operationId)) {
      const operation = document.paths[documentPath(route.path)][route.method.toLowerCase()]
      assert.deepEqual(operation.security, route.access === 'open' ? [] : [{ apiKey: [] }], keyOf(route))
    }
    assert.equal(document.components.securitySchemes.apiKey.scheme, 'bearer')
  })

  test('creation shows a request of each model, which the service would accept', () => {
    const { requestBody, parameters } = document.paths['/api/v1/jobs/createTask'].post
    const { schema, examples } = requestBody.content['application/json']
    assert.deepEqual(Object.keys(schema.discriminator.mapping).sort(), [variantA, variantB].sort())
    const shown = Object.values(examples as Record<string, Any>).map((example) => example.value)
    assert.deepEqual(shown.map((body) => body.model).sort(), [variantA, variantB].sort())
    for (const body of shown) {
      const parsed = parseCreateTask(createCatalogue(), body)
      assert.ok(parsed.ok, JSON.stringify(parsed))
      assert.deepEqual(parsed.value.ignoredFields, [])
    }
    assert.ok(parameters.some((parameter: Any) => parameter.name === 'Idempotency-Key' && parameter.in === 'header'))
  })

  test('every body and every answer has examples, and they fit its schema', () => {
    const fits = (schema: z.ZodType, value: unknown, where: string) => {
      const parsed = schema.safeParse(value)
      assert.ok(parsed.success, `${where}: ${parsed.error?.message}`)
    }
    for (const route of routes.filter((route) => route.operationId)) {
      const { requestBody, responses } = document.paths[documentPath(route.path)][route.method.toLowerCase()]
      const body = route.body ?? route.bodyDocs
      if (body) {
        const shown = Object.entries<Any>(requestBody.content['application/json'].examples)
        assert.ok(shown.length > 0, `${keyOf(route)} has no example of its body`)
        for (const [name, { value }] of shown) fits(body, value, `${keyOf(route)} ${name}`)
      }
      if (route.answer) {
        const { example } = responses['200'].content[route.contentType ?? 'application/json']
        fits(route.answer, route.bare || route.contentType ? example : example.data, keyOf(route))
      }
    }
  })

  test('a record as the service returns it fits the schema that is published', async () => {
    const taskId = await service.api.createTask('a boat')
    await service.api.until(taskId, ['success'])
    for (const path of ['/api/v1/jobs/recordInfo', '/api/v1/video/recordInfo']) {
      const { data } = (await service.api.get(`${path}?taskId=${taskId}`)).body
      const { answer } = routes.find((route) => route.path === path)!
      assert.ok(answer!.safeParse(data).success, path)
      const reference =
        document.paths[path].get.responses['200'].content['application/json'].schema.properties.data.$ref
      const published = document.components.schemas[reference.split('/').at(-1)]
      assert.deepEqual(Object.keys(published.properties).sort(), Object.keys(data).sort())
      assert.deepEqual([...published.required].sort(), Object.keys(data).sort())
    }
  })

  test('schemas keep to the keywords of JSON Schema', () => {
    const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']
    walkSchemas(document, (schema, where) => {
      for (const type of [schema.type ?? []].flat()) assert.ok(types.includes(type), `${where}: type ${type}`)
      if (schema.required) {
        assert.ok(Array.isArray(schema.required), where)
        for (const name of schema.required) assert.ok(name in schema.properties, `${where}: required ${name}`)
      }
      assert.equal('nullable' in schema, false, `${where}: nullable is of OpenAPI 3.0`)
      assert.equal('$schema' in schema || '$defs' in schema, false, where)
      if (schema.type === 'array') assert.ok(schema.items, where)
    })
  })
})

function walk(value: Any, visit: (value: Any) => void): void {
  if (typeof value !== 'object' || value === null) return
  visit(value)
  for (const part of Object.values(value)) walk(part, visit)
}

/** Every schema of the document, at every depth. */
function walkSchemas(document: Any, visit: (schema: Any, where: string) => void): void {
  const into = (schema: Any, where: string) => {
    if (typeof schema !== 'object' || schema === null) return
    visit(schema, where)
    for (const name of ['anyOf', 'oneOf', 'allOf']) {
      for (const [index, branch] of (schema[name] ?? []).entries()) into(branch, `${where}/${name}/${index}`)
    }
    for (const [name, part] of Object.entries(schema.properties ?? {})) into(part, `${where}/${name}`)
    if (schema.items) into(schema.items, `${where}/items`)
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) into(schema, name)
  walk(document.paths, (value) => {
    if (value.schema) into(value.schema, 'a path')
  })
}
