// Loaded before a process's own code (`node --import`): puts the machine's time of day off by TEST_CLOCK_SKEW_MS for
// that process alone. Timers are not touched, as they are not when a clock is set wrongly.
const skewMs = Number(process.env.TEST_CLOCK_SKEW_MS ?? 0)
const RealDate = Date
const skewedNow = () => RealDate.now() + skewMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [skewedNow()] : args, newTarget),
  apply: () => new RealDate(skewedNow()).toString(),
  get: (target, name) => (name === 'now' ? skewedNow : Reflect.get(target, name)),
})
