import type { Server } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { askerAt } from './entrance.js'

/**
 * Connections of a server, so many in all and for each address. Where one too many comes, the one that has waited longest
 * without a request goes, which may be the new one itself: who opens a thousand and says nothing keeps nobody out.
 */

const MOST = 1000
/** This machine's own address is also that of tunnels and proxies, by which a whole team may come. */
const MOST_FROM_ONE = 250

export function limitConnections(server: Server): void {
  const askers = new Map<Socket, string>()
  /** Without a request, the longest first. */
  const idle = new Set<Socket>()

  server.on('connection', socket => {
    const asker = askerAt(socket.remoteAddress)
    askers.set(socket, asker)
    idle.add(socket)
    socket.once('close', () => {
      askers.delete(socket)
      idle.delete(socket)
    })
    const others = isThisMachine(asker) ? 0 : [...askers.values()].filter(each => each === asker).length
    if (others > MOST_FROM_ONE) drop(each => askers.get(each) === asker)
    else if (askers.size > MOST) drop(() => true)
  })
  server.prependListener('request', ({ socket }, response) => {
    idle.delete(socket)
    response.once('close', () => {
      if (askers.has(socket)) idle.add(socket)
    })
  })

  function drop(isOne: (socket: Socket) => boolean): void {
    for (const socket of idle) {
      if (!isOne(socket)) continue
      askers.delete(socket)
      idle.delete(socket)
      socket.destroy()
      return
    }
  }
}

function isThisMachine(asker: string): boolean {
  return isIP(asker) === 4 ? asker.startsWith('127.') : asker === '0:0:0:0'
}
