// Gives each request turns on the event loop on behalf of its caller; a client without a key counts by its address.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientAddress } from '../connections/client-address.ts'
import type { LoopShare } from './loop-share.ts'

/** What it costs to read a body from its connection, and to collect what was read. */
const msPerByte = 2.5e-6

export function shareTurns(server: FastifyInstance, loopShare: LoopShare): void {
  server.decorateRequest('nextTurn', function (this: FastifyRequest, bytesRead = 0) {
    const caller = this.caller ?? { accountId: `address ${clientAddress(this)}`, keyId: '' }
    if (bytesRead > 0) loopShare.charge(caller.accountId, bytesRead * msPerByte)
    return loopShare.turn(caller)
  })
}
