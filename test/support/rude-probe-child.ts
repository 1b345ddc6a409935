// Stands in for the probing child: does what the asked path says, so that crashes and overruns can be tested.

process.on('message', ({ path }: { path: string }) => {
  if (path.includes('crash')) process.kill(process.pid, 'SIGSEGV')
  if (path.includes('exit')) process.exit(3)
  if (path.includes('hang')) return
  if (path.includes('broken')) return void process.send?.({ broken: 'x is not a function' })
  const audio = { claimedSeconds: null, seconds: process.pid }
  process.send?.({ probed: { claimedSeconds: null, heldSeconds: process.pid, video: null, audio } })
})
process.on('disconnect', () => process.exit())
