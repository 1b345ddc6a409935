// Runs a command against a server through the public client, and reports errors of the server in one line.
import {
  Dailies,
  DailiesError,
  NoAnswer,
  NotAuthenticated,
  NotFound,
  ServiceUnavailable,
  TaskFailed,
} from '../../../client/src/public.ts'
import { OperatorError } from '../../platform/errors.ts'
import { type CommandInput, type CommandResult, FailedTask } from '../command.ts'
import { findServer } from './server.ts'

/** Commands retry only a few times, because a person is waiting. */
const retries = 2

export async function withClient(
  input: CommandInput,
  work: (client: Dailies, url: string) => Promise<CommandResult>,
): Promise<CommandResult> {
  const server = await findServer(input)
  try {
    return await work(new Dailies({ baseUrl: server.url, apiKey: server.key, retries }), server.url)
  } catch (error) {
    throw explained(error, server.url)
  }
}

/** The first items of a list that the client reads page by page. */
export async function firstOf<T>(list: AsyncIterable<T>, max: number): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) if (items.push(item) >= max) break
  return items
}

export function explained(error: unknown, url: string): unknown {
  if (!(error instanceof DailiesError)) return error
  const options = { cause: error }
  if (error instanceof TaskFailed) return new FailedTask(error)
  if (error instanceof NoAnswer)
    return new OperatorError(`the server at ${url} cannot be reached: ${error.message}`, options)
  if (error instanceof NotAuthenticated) {
    return new OperatorError(`the server at ${url} does not know this key; give one of its keys with --key`, options)
  }
  if (error instanceof NotFound) return new OperatorError(`the server responded with 404: ${error.message}`, options)
  if (error instanceof ServiceUnavailable) return new OperatorError(error.message, options)
  return new OperatorError(`the server refused (${error.code}): ${error.message}`, options)
}
