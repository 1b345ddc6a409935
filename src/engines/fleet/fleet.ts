// All engines of this process with their gates: assigns an engine to each new task, moves queued tasks on when their
// engine is unhealthy or at its cap, and probes the engines. The decisions themselves are in routing and in the gate.
import type { EngineStatus } from '../../contract/operator.ts'
import type { Understood } from '../../contract/tasks/records.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Rate } from '../../platform/durations.ts'
import { asError } from '../../platform/errors.ts'
import type { Engine, Finding, Handle } from '../engine.ts'
import { createGate, type Gate } from './engine-gate.ts'
import { type Assignment, assignEngine, type ModelRoute, type Needs, placeTask, successorOf } from './routing.ts'

interface QueuedTask {
  model: string
  needs: Needs
  /** Engines that have failed the task before. */
  failedOn: readonly string[]
}

export interface Fleet {
  /** Every engine that may get tasks, with its slots. */
  engines(): { engine: Engine; slots: number }[]
  assign(model: string, needs: Needs): Assignment
  /**
   * What the engine of a model would read from a prompt. Engines that cannot say, and models without an engine at the
   * moment, give empty lists.
   */
  explain(model: string, prompt: string, negativePrompt: string): Understood
  /** Seconds after which one of the engines may be healthy again. */
  retryAfterS(engines: readonly string[]): number
  /**
   * How long a worker waits before it claims tasks of this engine. While the engine takes none, a few are claimed now and
   * then: some have been submitted to it before, and others may go to another engine.
   */
  pauseMs(engine: string): Promise<number>
  /** Whether the engine takes every task at the moment, so that none has to ask `enter` or `place`. */
  takesAll(engine: string): boolean
  /**
   * Runs work that asks `enter` or `place` and stores the start of the task, so that no other start is missed in
   * between.
   */
  inTurn<T>(engine: string, start: () => Promise<T>): Promise<T>
  /** Counts a task as one of this engine; false when the engine takes none now. */
  enter(engine: string): Promise<boolean>
  /** The engine that takes the task now: `current` or another; else when to ask again. */
  place(current: string, task: QueuedTask): Promise<{ engine: string } | { againInMs: number }>
  /** The engine that takes over a task that `current` must not get again; null when there is none. */
  successor(current: string, task: QueuedTask): string | null
  report(engine: string, event: 'succeeded' | 'failed', problem?: string): void
  /** Why the generator does not take a task yet; null when that is over. */
  waiting(engine: string, reason: string | null): void
  /** Cancels work whose task has ended. */
  cancel(engine: string, handle: Handle): Promise<void>
  /** Deletes what a generator still keeps of work whose result is stored here. */
  discard(engine: string, handle: Handle): Promise<void>
  /** What does not fit between the settings of each engine and its generator. */
  inspect(): Promise<EngineInspection[]>
  status(): EngineStatus[]
  /** One round of probes. */
  check(): Promise<void>
  /** Prepares every engine for its first task. */
  warm(): Promise<void>
  close(): Promise<void>
}

interface EngineInspection {
  engine: string
  findings: Finding[]
}

/** What the configuration file says about engines and routes, as far as the fleet needs it. */
interface FleetSetup {
  engines: ReadonlyMap<string, { type: string; slots: number; rate?: Rate; creditsMax?: Rate }>
  routes: ReadonlyMap<string, ModelRoute>
}

interface FleetOptions {
  setup: FleetSetup
  /** Serves the models that the setup has no route for. */
  defaultEngine: Engine
  /** Every engine that the setup names, besides the default one. */
  engines: Map<string, Engine>
  /** Slots of the bundled engines. */
  slots: number
  clock: Clock
  creditsSince(engine: string, sinceMs: number): Promise<number>
  random?: () => number
}

/** A task that waits for an engine asks again no sooner than `min` and no later than `max`. */
const askAgainMs = { min: 50, max: 2_000 }

const inspectMsMax = 10_000

async function inspectEngine(engine: Engine): Promise<EngineInspection> {
  try {
    return { engine: engine.name, findings: (await engine.inspect?.(AbortSignal.timeout(inspectMsMax))) ?? [] }
  } catch (error) {
    const message = `it cannot be inspected: ${asError(error).message}`
    return { engine: engine.name, findings: [{ message, isFatal: false }] }
  }
}

export function createFleet(options: FleetOptions): Fleet {
  const { setup, defaultEngine, clock, random = Math.random } = options
  const gates = new Map<string, Gate>()
  /** Running calls that clean up at a generator. */
  const tidying = new Set<Promise<void>>()
  async function tidy(call: Promise<void> | undefined) {
    if (!call) return
    tidying.add(call)
    await call.finally(() => tidying.delete(call))
  }
  for (const engine of [defaultEngine, ...options.engines.values()]) {
    const settings = setup.engines.get(engine.name) ?? { type: engine.name, slots: options.slots }
    gates.set(engine.name, createGate({ ...settings, engine, clock, creditsSince: options.creditsSince }))
  }
  const defaultRoute: ModelRoute = {
    engines: [{ name: defaultEngine.name, weight: 1 }],
    fallback: [],
    unsupported: 'refuse',
  }
  const routeOf = (model: string) => setup.routes.get(model) ?? defaultRoute
  const abilities = (name: string) => gates.get(name)?.engine.abilities

  async function enter(name: string): Promise<boolean> {
    const gate = gates.get(name)
    return gate !== undefined && (await gate.unavailableUntilMs()) === null && gate.enter()
  }

  async function place(current: string, task: QueuedTask): Promise<{ engine: string } | { againInMs: number }> {
    const route = routeOf(task.model)
    const names = new Set([current, ...route.engines.map(({ name }) => name), ...route.fallback])
    const ready = new Set<string>()
    let againAtMs = Number.POSITIVE_INFINITY
    for (const name of names) {
      const untilMs = await gates.get(name)?.unavailableUntilMs()
      if (untilMs === null) ready.add(name)
      else if (untilMs !== undefined) againAtMs = Math.min(againAtMs, untilMs)
    }
    const engine = placeTask(route, task.needs, current, {
      abilities,
      ready: (name) => ready.has(name),
      failed: (name) => task.failedOn.includes(name),
    })
    // Another task may have started while the engines were checked.
    const isOvertaken = engine === current && !gates.get(current)!.enter()
    if (engine !== null && !isOvertaken) return { engine }
    return { againInMs: Math.max(askAgainMs.min, Math.min(askAgainMs.max, againAtMs - clock.now())) }
  }

  const healthy = (name: string) => gates.get(name)?.retryAtMs() === null
  const assign = (model: string, needs: Needs) => assignEngine(routeOf(model), needs, { abilities, healthy }, random())

  return {
    engines: () => [...gates.values()].map(({ engine, slots }) => ({ engine, slots })),
    assign,
    explain(model, prompt, negativePrompt) {
      const assigned = assign(model, { lastFrame: false, elements: false })
      const engine = 'engine' in assigned ? gates.get(assigned.engine)?.engine : undefined
      return engine?.explain?.(prompt, negativePrompt) ?? { moves: [], effects: [], framing: null, notDone: [] }
    },
    retryAfterS(engines) {
      const nowMs = clock.now()
      const times = engines.map((name) => gates.get(name)?.retryAtMs() ?? nowMs)
      return Math.max(1, Math.ceil((Math.min(...times) - nowMs) / 1000))
    },
    pauseMs: async (engine) => (await gates.get(engine)?.pauseMs()) ?? 0,
    takesAll: (engine) => gates.get(engine)?.takesAll() ?? false,
    inTurn: (name, start) => gates.get(name)?.inTurn(start) ?? start(),
    enter,
    place,
    successor: (current, { model, needs, failedOn }) =>
      successorOf(routeOf(model), needs, current, {
        abilities,
        ready: healthy,
        failed: (name) => failedOn.includes(name),
      }),
    report: (engine, event, problem) => gates.get(engine)?.report(event, problem),
    waiting: (engine, reason) => gates.get(engine)?.waiting(reason),
    cancel: (engine, handle) => tidy(gates.get(engine)?.engine.cancel(handle)),
    discard: (engine, handle) => tidy(gates.get(engine)?.engine.discard?.(handle)),
    inspect: () => Promise.all([...gates.values()].map(({ engine }) => inspectEngine(engine))),
    status: () => [...gates.values()].map((gate) => gate.status()),
    async check() {
      await Promise.all([...gates.values()].map((gate) => gate.check()))
    },
    async warm() {
      await Promise.all([...gates.values()].map(({ engine }) => engine.warm?.()))
    },
    async close() {
      await Promise.allSettled(tidying)
      await Promise.all([...gates.values()].map(({ engine }) => engine.close?.()))
    },
  }
}
