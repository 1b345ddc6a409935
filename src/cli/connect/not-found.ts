// What a command names on the configured database and does not find there: the message says what there is instead.
import { type Dailies, NotFound } from '../../../client/src/public.ts'
import { OperatorError } from '../../platform/errors.ts'
import { firstOf } from './client.ts'
import { namesRead, noAccountText } from './find.ts'

interface Place {
  client: Dailies
  /** At a server, not found may also mean that the key lacks a right. */
  isRemote: boolean
}

export function ofAccount<T>({ client, isRemote }: Place, name: string | undefined, work: Promise<T>): Promise<T> {
  return name === undefined
    ? work
    : orMissing(isRemote, work, async () => {
        return noAccountText(name, await firstOf(client.operator.accountPages({ limit: namesRead }), namesRead))
      })
}

export function ofKey<T>({ isRemote }: Pick<Place, 'isRemote'>, id: string | undefined, work: Promise<T>): Promise<T> {
  const text = `there is no key with the id "${id}"; dailies keys list shows them`
  return id === undefined ? work : orMissing(isRemote, work, async () => text)
}

/** `text` replaces the message of a 404. */
export async function orMissing<T>(isRemote: boolean, work: Promise<T>, text: () => Promise<string>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw !isRemote && error instanceof NotFound ? new OperatorError(await text(), { cause: error }) : error
  }
}
