// One task against one engine, without a service: each step is reported as it ends, and the first that fails is the last.
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { mebibytes } from '../../contract/limits.ts'
import type { Engine, EngineResult, FollowContext, Handle, InputFile, Plan } from '../../engines/engine.ts'
import type { EngineSetup } from '../../engines/setup/engine-setup.ts'
import { createStudio } from '../../engines/studio/studio.ts'
import { everyone } from '../../limits/slots.ts'
import { createMediaChildren } from '../../media/media-children.ts'
import { videoModels } from '../../models/catalogue.ts'
import { OperatorError } from '../../platform/errors.ts'
import type { CommandResult } from '../command.ts'
import { modelsOf, withEngines } from '../connect/with-engines.ts'
import { checkPlace } from '../tasks/video-file.ts'
import { onInterrupt } from '../terminal/interrupt.ts'

export interface Attempt {
  name: string
  image: string
  lastFrame: string | null
  prompt: string
  seconds: number
  out: string
  show(line: string): void
}

interface Step {
  step: 'connect' | 'inspect' | 'submit' | 'generate' | 'save'
  status: 'ok' | 'warning' | 'failed'
  ms: number
  message: string
}

/** A step that failed; what it was about is in the report. */
class StepFailed extends Error {}

const answerWithinMs = 10_000
const imageBytesMax = mebibytes(50)

export async function tryEngine(config: Config, attempt: Attempt): Promise<CommandResult> {
  await checkPlace(attempt.out)
  return withEngines(config, async ({ setup, engines }) => {
    const settings = setup.engines.get(attempt.name)
    const engine = attempt.name === 'studio' ? studioOf(config) : engines.get(attempt.name)
    if (!engine) {
      const names = [...engines.keys(), 'studio'].join(', ')
      throw new OperatorError(`there is no engine "${attempt.name}"; there are ${names}`)
    }
    const workDir = await mkdtemp(join(tmpdir(), 'dailies-try-'))
    try {
      const plan = await planFor(attempt, setup, engine)
      const where = settings ? `${settings.type} at ${settings.url}` : 'the studio, on this machine'
      return await runSteps(engine, plan, { ...attempt, where, workDir })
    } finally {
      if (attempt.name === 'studio') await engine.close?.()
      await rm(workDir, { recursive: true, force: true })
    }
  })
}

const studioOf = ({ depthModel }: Config) => createStudio({ slots: 1, depthModel })

async function planFor({ name, image, lastFrame, prompt, seconds }: Attempt, setup: EngineSetup, engine: Engine) {
  if (lastFrame !== null && engine.abilities?.lastFrame === false) {
    throw new OperatorError(`the engine ${name} takes no last frame`)
  }
  const media = createMediaChildren({ slots: 1 })
  const read = async (file: string): Promise<InputFile> => {
    try {
      const { width, height } = await media.inspectImage(file, { bytesMax: imageBytesMax }, { caller: everyone })
      return { file, kind: 'image', width, height }
    } catch (error) {
      throw new OperatorError(`${file}: ${(error as Error).message}`, { cause: error })
    }
  }
  try {
    const plan: Plan = {
      model: modelsOf(setup, name)[0] ?? videoModels[0]!.id,
      prompt,
      negativePrompt: '',
      guidance: 0.5,
      seconds,
      size: { shortSide: 720, ratio: 'auto' },
      firstFrame: await read(image),
      lastFrame: lastFrame === null ? null : await read(lastFrame),
      shots: [],
      planShots: false,
      elements: [],
      audio: false,
    }
    return plan
  } finally {
    await media.close()
  }
}

async function runSteps(
  engine: Engine,
  plan: Plan,
  { where, workDir, out, show }: Attempt & { where: string; workDir: string },
): Promise<CommandResult> {
  const interrupt = onInterrupt()
  const { steps, step } = recordSteps(show, interrupt.signal)
  let handle: Handle | null = null
  const context: FollowContext = {
    workDir,
    localPath: async (file) => file,
    signal: interrupt.signal,
    submission: `try-${process.pid}-${Date.now()}`,
    progress: progressLines(show),
    waiting: waitingLines(show),
    async keep(kept) {
      handle = kept
    },
  }
  let result: EngineResult | null = null
  try {
    const signal = () => AbortSignal.timeout(answerWithinMs)
    await step(
      'connect',
      async () => engine.probe?.(signal()),
      () => `${where} responds`,
    )
    await step(
      'inspect',
      async () => (await engine.inspect?.(signal())) ?? [],
      (findings) => findings.map(({ message }) => message).join('; ') || 'nothing is missing',
    )
    handle = await step(
      'submit',
      async () => (await engine.start?.(plan, context)) ?? {},
      () => 'the engine has the task',
    )
    const made = await step('generate', () => engine.follow(handle!, plan, context), factsOf)
    result = made
    await step(
      'save',
      () => copyFile(made.videoPath, out),
      () => out,
    )
    await engine.discard?.(handle).catch(() => {})
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    if (handle !== null) await engine.cancel(handle).catch(() => {})
  } finally {
    interrupt.stop()
  }
  const ok = steps.every(({ status }) => status !== 'failed')
  const { width, height, seconds, fps, codec, adjusted } = result ?? {}
  const video = result && { width, height, seconds, fps, codec, adjusted, bytes: (await stat(result.videoPath)).size }
  return {
    data: { engine: engine.name, ok, steps, video, out: ok ? out : null },
    text: ok ? `The engine ${engine.name} works.` : `The engine ${engine.name} does not work yet.`,
    exitCode: interrupt.exitCode() || (ok ? 0 : 1),
  }
}

/** Runs steps one after the other, shows how each ended, and keeps that for the result. */
function recordSteps(show: (line: string) => void, interrupted: AbortSignal) {
  const steps: Step[] = []
  async function step<T>(name: Step['step'], work: () => Promise<T>, message: (value: T) => string): Promise<T> {
    const began = performance.now()
    const report = (status: Step['status'], text: string) => {
      const ms = Math.round(performance.now() - began)
      steps.push({ step: name, status, ms, message: text })
      show(`${name.padEnd(9)} ${status.padEnd(7)} ${text} (${(ms / 1000).toFixed(1)} s)`)
    }
    try {
      const value = await work()
      report(name === 'inspect' && (value as unknown[]).length > 0 ? 'warning' : 'ok', message(value))
      return value
    } catch (error) {
      report('failed', interrupted.aborted ? 'interrupted' : (error as Error).message)
      throw new StepFailed(name, { cause: error })
    }
  }
  return { steps, step }
}

const progressEvery = 10

/** One line for every ten percent. */
function progressLines(show: (line: string) => void): (percent: number) => void {
  let shown = 0
  return (percent) => {
    const tens = Math.floor(percent / progressEvery) * progressEvery
    if (tens <= shown) return
    shown = tens
    show(`progress          ${tens} %`)
  }
}

/** A generator that gives the same reason again is not news. */
function waitingLines(show: (line: string) => void): (reason: string | null) => void {
  let shown: string | null = null
  return (reason) => {
    if (reason !== null && reason !== shown) show(`submit    waiting ${reason}`)
    shown = reason
  }
}

function factsOf({ seconds, width, height, fps, codec, adjusted = [] }: EngineResult): string {
  const facts = [`${Number(seconds.toFixed(2))} s`, `${width}x${height}`, ...(fps ? [`${fps} fps`] : []), codec ?? '']
  return ['the result was checked', ...facts.filter(Boolean), ...adjusted].join(', ')
}
