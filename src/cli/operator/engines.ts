// dailies engines …: which engines are configured, and one task against one of them, step by step.
import { resolve } from 'node:path'
import { type Command, command, UsageError, wholeNumber } from '../command.ts'
import { table } from '../terminal/print.ts'

const list = command({
  name: 'engines list',
  summary: 'List the engines and the models that they serve',
  examples: ['dailies engines list'],
  async run({ config }) {
    // Loaded only here: other commands start several times faster without the engines.
    const { modelsOf, withEngines } = await import('../connect/with-engines.ts')
    return withEngines(config, async ({ setup, engines }) => {
      const remote = [...engines.values()].map(({ name, abilities }) => {
        const { type, url, slots } = setup.engines.get(name)!
        const lastFrame = abilities?.lastFrame ?? true
        const elements = abilities?.elements ?? true
        return { name, type, url, slots, lastFrame, elements, models: modelsOf(setup, name) }
      })
      const studio = { name: 'studio', type: 'studio', url: null, slots: config.renderSlots }
      const items = [...remote, { ...studio, lastFrame: true, elements: true, models: modelsOf(setup, 'studio') }]
      const rows = items.map((item) => [
        item.name,
        item.type,
        item.url,
        item.slots,
        item.lastFrame ? 'yes' : 'no',
        item.elements ? 'yes' : 'no',
        item.models.join(', ') || '-',
      ])
      const note = 'The studio also serves every model that the configuration does not name.'
      const text = table(['NAME', 'TYPE', 'URL', 'SLOTS', 'LAST FRAME', 'ELEMENTS', 'MODELS'], rows)
      return { data: { items }, text: `${text}\n\n${note}` }
    })
  },
})

const secondsMax = 60

const tryOut = command({
  name: 'engines try',
  args: ['NAME'],
  flags: {
    image: { value: 'FILE', help: 'the first frame, a JPEG or PNG image' },
    prompt: { value: 'TEXT', help: 'what happens in the video (default: "slow push in")' },
    'last-frame': { value: 'FILE', help: 'the last frame' },
    seconds: { value: 'N', help: 'the length (default 5)' },
    out: { value: 'FILE', help: 'where to save the video (default: try-NAME.mp4)' },
  },
  summary: 'Run one task against an engine and show each step',
  details:
    'Connects, inspects, submits, follows, and checks the result as the service would. It needs no running service and ' +
    'charges nothing. Ctrl+C cancels the job at the engine.',
  examples: ['dailies engines try my-gpu --image boat.jpg', 'dailies engines try comfy --image boat.jpg --json'],
  async run({ args: [name], flags, config, json }) {
    const image = flags.image
    if (image === undefined) throw new UsageError('--image is missing: give the first frame')
    const seconds = wholeNumber('--seconds', flags.seconds ?? '5')
    if (seconds < 1 || seconds > secondsMax) throw new UsageError(`--seconds must be 1 to ${secondsMax}`)
    const { tryEngine } = await import('./try-engine.ts')
    return tryEngine(config, {
      name,
      image: resolve(image),
      lastFrame: flags['last-frame'] === undefined ? null : resolve(flags['last-frame']),
      prompt: flags.prompt ?? 'slow push in',
      seconds,
      out: resolve(flags.out ?? `try-${name}.mp4`),
      show: json ? () => {} : (line) => console.log(line),
    })
  },
})

export const engineCommands: Command[] = [list, tryOut]
