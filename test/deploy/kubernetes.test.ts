// deploy/kubernetes.yaml is valid for the API versions that it names, and names only settings that exist.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import * as apps from 'kubernetes-models/apps/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { parseAllDocuments } from 'yaml'
import { stopWithinMs } from '../../src/cli/server/serve.ts'
import { loadConfig } from '../../src/config.ts'
import { settings } from '../../src/settings/settings.ts'

interface Manifest {
  apiVersion: string
  kind: string
  data?: Record<string, string>
}

interface Deployment extends Manifest {
  spec: {
    template: {
      spec: {
        terminationGracePeriodSeconds: number
        enableServiceLinks?: boolean
        containers: {
          startupProbe: { periodSeconds: number; failureThreshold: number }
          lifecycle?: { preStop: { sleep: { seconds: number } } }
        }[]
      }
    }
  }
}

type Model = new (manifest: never) => { validate(): void }

const models: Record<string, Record<string, unknown>> = { v1: core, 'apps/v1': apps, 'policy/v1': policy }

async function manifests(): Promise<Manifest[]> {
  const text = await readFile(new URL('../../deploy/kubernetes.yaml', import.meta.url), 'utf8')
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}

function validate(manifest: Manifest): void {
  const Model = models[manifest.apiVersion]?.[manifest.kind] as Model
  assert.ok(Model, `${manifest.apiVersion} ${manifest.kind}`)
  new Model(manifest as never).validate()
}

test('every manifest is valid', async () => {
  const all = await manifests()
  assert.deepEqual(
    all.map(({ kind }) => kind),
    ['ConfigMap', 'Deployment', 'Deployment', 'Service', 'PodDisruptionBudget'],
  )
  for (const manifest of all) validate(manifest)
})

test('the check finds a wrong field', async () => {
  const deployment = (await manifests())[1] as unknown as { spec: { replicas: unknown } }
  deployment.spec.replicas = 'two'
  assert.throws(() => validate(deployment as never), /replicas/)
})

test('its settings exist', async () => {
  const { data } = (await manifests())[0]!
  const names = Object.values(settings).map((each) => each.name)
  for (const name of Object.keys(data!)) assert.ok(names.includes(name), name)
})

test('pods have time to end by themselves, and get no settings from the Service of the same name', async () => {
  const pods = (await manifests()).filter(({ kind }) => kind === 'Deployment').map((each) => (each as Deployment).spec)
  assert.equal(pods.length, 2)
  for (const { template } of pods) {
    const { terminationGracePeriodSeconds: seconds, enableServiceLinks, containers } = template.spec
    const sleptSeconds = containers[0]!.lifecycle?.preStop.sleep.seconds ?? 0
    assert.ok((seconds - sleptSeconds) * 1000 > stopWithinMs(loadConfig({}).stopGraceMs) + 2000, `${seconds}`)
    assert.equal(enableServiceLinks, false)
    // Nothing listens while a start waits for its database.
    const { periodSeconds, failureThreshold } = containers[0]!.startupProbe
    assert.ok(periodSeconds * failureThreshold * 1000 > loadConfig({}).startWaitMs + 10_000)
  }
})
