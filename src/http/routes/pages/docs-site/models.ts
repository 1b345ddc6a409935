// The page of the models: what each takes, what it costs, and a request to copy. Pure.
import type { ModelInfo } from '../../../../contract/models.ts'
import { escapeHtml, phraseHtml } from './pages.ts'

export function modelsHtml(models: ModelInfo[]): string {
  return `<h1>Models</h1><p>One credit is 0.005 US dollars. Failed tasks are free.</p>${models.map(modelHtml).join('')}`
}

function modelHtml(model: ModelInfo): string {
  const { properties = {}, required = [] } = model.inputSchema as { properties?: object; required?: string[] }
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required.includes(name) ? ' <span class="required">required</span>' : ''}</th><td>${phraseHtml((schema as { description?: string }).description ?? '')}</td></tr>`,
  )
  const body = model.kind === 'video' ? { model: model.id, input: model.example } : model.example
  const path = model.kind === 'video' ? '/api/v1/jobs/createTask' : `/v1/inference/${model.id}`
  const code = `curl $DAILIES_URL${path} -H "Authorization: Bearer $DAILIES_KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`
  return `<section><h2 id="${escapeHtml(model.id)}">${escapeHtml(model.title)}</h2><p><code>${escapeHtml(model.id)}</code></p>
<p>${escapeHtml(model.description)}</p>
<h3>Fields</h3><div class="table" tabindex="0" role="region" aria-label="Fields of ${escapeHtml(model.title)}"><table><tbody>${fields.join('')}</tbody></table></div>
<h3>Prices</h3><pre tabindex="0"><code>${escapeHtml(JSON.stringify(model.prices, null, 2))}</code></pre>
<h3>Request</h3><pre tabindex="0"><code>${escapeHtml(code)}</code></pre></section>`
}
