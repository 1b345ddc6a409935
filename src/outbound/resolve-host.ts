// The default resolver of host names: all addresses of a name, as plain text, unchecked.
// getaddrinfo blocks threads that files and images need, and only two names resolve at a time there, so one
// client's unreachable name servers would delay all clients. Public names are therefore resolved by the name servers
// directly; getaddrinfo resolves only names of this machine and of its own network.
import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { FetchFailure } from './fetch-failure.ts'

export type HostLookup = (hostname: string) => Promise<string[]>

interface HostResolverOptions {
  /** Time for one attempt at one name server. */
  attemptMs?: number
  attempts?: number
  hostsFile?: string
  /** Name servers as `address:port`, in place of the system's. */
  servers?: string[]
}

export function createHostResolver(options: HostResolverOptions = {}): HostLookup {
  const { attemptMs = 2000, attempts = 2, hostsFile = '/etc/hosts' } = options
  const resolver = new Resolver({ timeout: attemptMs, tries: attempts })
  if (options.servers !== undefined) resolver.setServers(options.servers)

  return async function resolveHost(hostname) {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const local = !name.includes('.') || name.endsWith('.localhost') || (await hostsNames(hostsFile)).has(name)
    const addresses = local ? await askMachine(name) : await askNameServers(resolver, name)
    if (addresses.length === 0) throw new FetchFailure('dns')
    return addresses
  }
}

async function askMachine(name: string): Promise<string[]> {
  try {
    return (await lookup(name, { all: true })).map((answer) => answer.address)
  } catch (cause) {
    throw new FetchFailure('dns', { cause })
  }
}

/** One family without addresses is normal; resolution fails only if both fail. */
async function askNameServers(resolver: Resolver, name: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0) throw new FetchFailure('dns', { cause: tellingReason(answers) })
  return addresses
}

/** That a name does not exist counts for both families; that it has no address of one family says nothing of the other. */
function tellingReason(answers: PromiseSettledResult<string[]>[]): unknown {
  const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  const isCode = (code: string) => (reason: NodeJS.ErrnoException) => reason.code === code
  return reasons.find(isCode('ENOTFOUND')) ?? reasons.find((reason) => !isCode('ENODATA')(reason)) ?? reasons[0]
}

async function hostsNames(hostsFile: string): Promise<Set<string>> {
  const text = await readFile(hostsFile, 'utf8').catch(() => '')
  const names = text.split('\n').flatMap((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/).slice(1))
  return new Set(names)
}
