// A process that answers messages one by one: each side of it imports this file.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Child {
  pid: number
  ask(message: object): Promise<unknown>
  stop(): void
}

export async function startChild(module: URL, args: string[]): Promise<Child> {
  const child: ChildProcess = fork(fileURLToPath(module), args)
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${module.pathname} ended with ${code}`)
  })
  exited.catch(() => {})
  const answer = async () => ((await Promise.race([once(child, 'message'), exited]))[0] as { answer: unknown }).answer
  await answer()
  return {
    pid: child.pid!,
    ask(message) {
      child.send(message)
      return answer()
    },
    stop: () => child.disconnect(),
  }
}

/** In the child: says that it is ready, and answers each message. */
export function answerMessages<Message>(answer: (message: Message) => Promise<unknown>): void {
  process.on('message', async (message: Message) => process.send!({ answer: (await answer(message)) ?? null }))
  process.on('disconnect', () => process.exit())
  process.send!({ answer: null })
}
