// The API reference: every operation of the OpenAPI document as HTML, each with a form that sends it. Pure.
import { Marked } from 'marked'
import { escapeHtml, phraseHtml } from '../../src/http/routes/pages/models-page.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read where it has what is looked for
type Json = any

const marked = new Marked({ renderer: { html: ({ text }) => escapeHtml(text) } })
const prose = (text: string | undefined) => (text ? marked.parse(text, { async: false }) : '')
const methods = ['get', 'post', 'put', 'patch', 'delete', 'head']

interface ReferenceEntry {
  id: string
  title: string
  text: string
}

export function referenceHtml(document: Json): { html: string; entries: ReferenceEntry[] } {
  const entries: ReferenceEntry[] = []
  const sections = (document.tags as Json[]).map((tag) => {
    const operations = operationsOf(document, tag.name)
    const list = operations.map(({ path, method, operation }) => {
      const id = `${method}${path}`.replace(/[^\w-]+/g, '-').replace(/-$/, '')
      entries.push({
        id,
        title: `${method.toUpperCase()} ${path}`,
        text: `${operation.summary} ${operation.description ?? ''}`,
      })
      return operationHtml(document, id, path, method, operation)
    })
    return `<section><h2 id="${escapeHtml(tag.name)}">${escapeHtml(tag.name)}</h2>${prose(tag.description)}${list.join('')}</section>`
  })
  const key = `<form class="key-form" id="key-form"><label for="key">API key for trying operations</label>
<input id="key" type="password" autocomplete="off" placeholder="dk_…, or nothing while you are signed in to the console"></form>`
  return {
    html: `<h1>API reference</h1>${prose(document.info.description)}<p>As a document for tools: <a href="../openapi.json">openapi.json</a>.</p>${key}${sections.join('')}`,
    entries,
  }
}

function operationsOf(document: Json, tag: string) {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method]?.tags?.includes(tag))
      .map((method) => ({ path, method, operation: item[method] })),
  )
}

function operationHtml(document: Json, id: string, path: string, method: string, operation: Json): string {
  const parameters = (operation.parameters ?? []).map((parameter: Json) => resolved(document, parameter))
  const content = operation.requestBody?.content?.['application/json']
  const example = exampleOf(document, content)
  return `<details class="operation" id="${id}" data-method="${method}" data-path="${escapeHtml(path)}">
<summary><span class="method" data-method="${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code> <span class="muted">${escapeHtml(operation.summary ?? '')}</span></summary>
<div class="operation-body">${prose(operation.description)}
${parameterTable(document, parameters)}
${content ? `<h4>Body</h4>${schemaTable(document, content.schema)}` : ''}
<h4>Responses</h4>${responsesHtml(document, operation.responses ?? {})}
${tryForm(id, parameters, content ? example : null)}
</div></details>`
}

function parameterTable(document: Json, parameters: Json[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map((parameter) =>
    row(
      parameter.name,
      parameter.in,
      parameter.required,
      resolved(document, parameter.schema ?? {}),
      parameter.description,
    ),
  )
  return `<h4>Parameters</h4><div class="table" tabindex="0" role="region" aria-label="Parameters"><table><tbody>${rows.join('')}</tbody></table></div>`
}

function row(name: string, place: string, required: boolean, schema: Json, description?: string): string {
  const note = description ?? schema.description ?? ''
  return `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required ? ' <span class="required">required</span>' : ''}</th><td>${escapeHtml([place, typeText(schema)].filter(Boolean).join(', '))}</td><td>${phraseHtml(note)}</td></tr>`
}

function schemaTable(document: Json, schema: Json): string {
  const { properties, required = [] } = resolved(document, schema ?? {})
  if (!properties) return ''
  const rows = Object.entries<Json>(properties).map(([name, of]) =>
    row(name, '', required.includes(name), resolved(document, of)),
  )
  return `<div class="table" tabindex="0" role="region" aria-label="Fields"><table><tbody>${rows.join('')}</tbody></table></div>`
}

function typeText(schema: Json): string {
  if (schema.enum)
    return schema.enum
      .map((value: unknown) => JSON.stringify(value))
      .join(' | ')
      .slice(0, 120)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText).filter(Boolean))].join(' or ').slice(0, 120)
  const limits = [
    schema.maxLength === undefined ? '' : `at most ${schema.maxLength} characters`,
    schema.minimum === undefined || schema.minimum < -1e9 ? '' : `from ${schema.minimum}`,
    schema.maximum === undefined || schema.maximum > 1e12 ? '' : `to ${schema.maximum}`,
  ]
  return [Array.isArray(schema.type) ? schema.type.join(' or ') : schema.type, ...limits].filter(Boolean).join(' ')
}

function responsesHtml(document: Json, responses: Json): string {
  return Object.entries<Json>(responses)
    .map(([status, given]) => {
      const response = resolved(document, given)
      const [type, content] = Object.entries<Json>(response.content ?? {})[0] ?? []
      const example = type === 'application/json' ? exampleOf(document, content) : null
      const shown =
        example === null ? '' : `<pre tabindex="0"><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre>`
      return `<details class="response"><summary><code>${escapeHtml(status)}</code> ${phraseHtml(response.description ?? '')}</summary>${shown}</details>`
    })
    .join('')
}

function tryForm(id: string, parameters: Json[], body: Json): string {
  const fields = parameters
    .filter((parameter) => parameter.in === 'query' || parameter.in === 'path')
    .map((parameter, index) => {
      const field = `${id}-${index}`
      return `<label for="${field}">${escapeHtml(parameter.name)}</label><input id="${field}" name="${escapeHtml(parameter.name)}" data-in="${parameter.in}"${parameter.required ? ' required' : ''}>`
    })
  const text = body === null ? '' : JSON.stringify(body, null, 2)
  const area =
    body === null
      ? ''
      : `<label for="${id}-body">Body</label><textarea id="${id}-body" name="body" data-in="body" rows="${Math.min(16, text.split('\n').length + 1)}" spellcheck="false">${escapeHtml(text)}</textarea>`
  return `<form class="try"><h4>Try it</h4>${fields.join('')}${area}<button type="submit">Send</button><output></output></form>`
}

function exampleOf(document: Json, content: Json): Json {
  if (!content) return null
  if (content.example !== undefined) return content.example
  const [first] = Object.values<Json>(content.examples ?? {})
  if (first) return resolved(document, first).value ?? null
  return content.schema ? (resolved(document, content.schema).examples?.[0] ?? {}) : null
}

function resolved(document: Json, value: Json): Json {
  if (typeof value?.$ref !== 'string') return value
  return (
    value.$ref
      .slice(2)
      .split('/')
      .reduce((part: Json, name: string) => part?.[name.replaceAll('~1', '/')], document) ?? {}
  )
}
