// The models for the documentation's page: their fields, prices, and a request to copy. Pure.
import type { ModelInfo } from '../../../contract/models.ts'

interface Schema {
  description?: string
  type?: string | string[]
  default?: unknown
  anyOf?: Schema[]
}

export function modelsHtml(models: ModelInfo[]): string {
  return `<h1>Models</h1><p>One credit is 0.005 US dollars. Failed tasks are free.</p>${models.map(modelHtml).join('')}`
}

function modelHtml(model: ModelInfo): string {
  const { properties = {}, required = [] } = model.inputSchema as { properties?: object; required?: string[] }
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `<tr><th scope="row"><code class="name">${escapeHtml(name).replaceAll('_', '_<wbr>')}</code>${required.includes(name) ? ' <span class="required">required</span>' : ''}</th><td>${phraseHtml((schema as Schema).description ?? '')} <span class="muted">${escapeHtml(typeWords(schema))}</span></td></tr>`,
  )
  const prices = Object.entries(model.prices).map(([name, price]) => {
    const [what, amount] = priceWords(name, price)
    return `<tr><th scope="row">${escapeHtml(what)}</th><td>${escapeHtml(amount)}</td></tr>`
  })
  const body = model.kind === 'video' ? { model: model.id, input: model.example } : model.example
  const path = model.kind === 'video' ? '/api/v1/jobs/createTask' : `/v1/inference/${model.id}`
  const code = `curl $DAILIES_URL${path} -H "Authorization: Bearer $DAILIES_KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`
  return `<section><h2 id="${escapeHtml(model.id)}">${escapeHtml(model.title)}</h2><p><code>${escapeHtml(model.id)}</code></p>
<p>${escapeHtml(model.description)}</p>
<h3>Fields</h3><div class="table" tabindex="0" role="region" aria-label="Fields of ${escapeHtml(model.title)}"><table><tbody>${fields.join('')}</tbody></table></div>
<h3>Prices</h3><div class="table" tabindex="0" role="region" aria-label="Prices of ${escapeHtml(model.title)}"><table><tbody>${prices.join('')}</tbody></table></div>
<h3>Request</h3><pre tabindex="0"><code>${escapeHtml(code)}</code></pre></section>`
}

/** `String or number, “5” if omitted.` */
function typeWords(schema: Schema): string {
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type }) => type ?? []).filter((type) => type !== 'null')
  const words = types.join(' or ')
  const hasDefault = schema.default !== undefined && !(Array.isArray(schema.default) && schema.default.length === 0)
  const omitted = hasDefault ? `, ${JSON.stringify(schema.default)} if omitted` : ''
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${omitted}.`
}

/** What a price of the list is for, and how much it is. Video models are priced by length, or per second by size. */
function priceWords(name: string, price: number): [what: string, amount: string] {
  if (name === 'usdPerMillionTokens') return ['A million tokens', `${price} US dollars`]
  if (/^\d+$/.test(name)) return [`${name} seconds`, `${price} credits`]
  return [name.replace('+audio', ' with sound'), `${price} credits per second`]
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

/** A description of a field or a response, which may have code in backticks. */
export function phraseHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
