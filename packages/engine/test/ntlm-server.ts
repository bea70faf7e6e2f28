import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// A server with NTLM authentication by Samba: each connection performs its handshake through ntlm_auth.

const ntlmAuthPath = '/usr/bin/ntlm_auth'
export const isNtlmMissing = (): boolean => !existsSync(ntlmAuthPath)

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

export type NtlmSite = {
  origin: string
  /** Numbers of completed handshakes. */
  handshakes: () => { accepted: number; refused: number }
  close: () => Promise<void>
}

function openHelper(folder: string): { ask: (line: string) => Promise<string>; child: ChildProcess } {
  const helperProcess = spawn(
    ntlmAuthPath,
    [
      `--configfile=${join(folder, 'smb.conf')}`,
      '--helper-protocol=squid-2.5-ntlmssp',
      '--domain=CORP',
      '--username=alice',
      '--password=wonderland',
    ],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  )
  const waitingReplies: ((line: string) => void)[] = []
  let incompleteLine = ''
  helperProcess.stdout.on('data', (chunk: Buffer) => {
    const replyLines = (incompleteLine + chunk.toString()).split('\n')
    incompleteLine = replyLines.pop() ?? ''
    for (const line of replyLines) waitingReplies.shift()?.(line)
  })
  return {
    child: helperProcess,
    ask: (line) =>
      new Promise((resolve) => {
        waitingReplies.push(resolve)
        helperProcess.stdin.write(`${line}\n`)
      }),
  }
}

/** Opens a site only for CORP\alice with the password wonderland. */
export async function openNtlmSite(handler: RequestHandler): Promise<NtlmSite> {
  const sambaFolder = mkdtempSync(join(tmpdir(), 'clearway-ntlm-'))
  const directoryLines = ['lock', 'state', 'cache', 'pid', 'private'].map((name) => {
    const directoryKey = name === 'private' ? 'private dir' : name === 'pid' ? 'pid directory' : `${name} directory`
    return ` ${directoryKey} = ${sambaFolder}`
  })
  writeFileSync(
    join(sambaFolder, 'smb.conf'),
    `[global]\n workgroup = CORP\n netbios name = TEST\n server role = standalone\n${directoryLines.join('\n')}\n`,
  )
  const helpersBySocket = new Map<Socket, ReturnType<typeof openHelper>>()
  const signedInSockets = new WeakSet<Socket>()
  const handshakeCounts = { accepted: 0, refused: 0 }
  const sendChallenge = (response: ServerResponse, token = '') =>
    response.writeHead(401, { 'www-authenticate': `NTLM${token && ` ${token}`}`, 'content-type': 'text/html' }).end('<p>no</p>')
  const server = createServer((request, response) => {
    const { socket } = request
    if (signedInSockets.has(socket)) return handler(request, response)
    const [scheme, requestToken] = (request.headers.authorization ?? '').split(' ')
    if (scheme !== 'NTLM' || !requestToken) return sendChallenge(response)
    let socketHelper = helpersBySocket.get(socket)
    const isFirst = !socketHelper
    if (!socketHelper) {
      socketHelper = openHelper(sambaFolder)
      helpersBySocket.set(socket, socketHelper)
      socket.once('close', () => helpersBySocket.get(socket)?.child.kill())
    }
    void socketHelper.ask(`${isFirst ? 'YR' : 'KK'} ${requestToken}`).then((helperReply) => {
      if (helperReply.startsWith('TT ')) return sendChallenge(response, helperReply.slice(3))
      helpersBySocket.get(socket)?.child.kill()
      helpersBySocket.delete(socket)
      if (!helperReply.startsWith('AF ')) {
        handshakeCounts.refused += 1
        return sendChallenge(response)
      }
      handshakeCounts.accepted += 1
      signedInSockets.add(socket)
      return handler(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handshakes: () => ({ ...handshakeCounts }),
    async close() {
      for (const { child } of helpersBySocket.values()) child.kill()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(sambaFolder, { recursive: true, force: true })
    },
  }
}
