import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// A server that takes NTLM as Samba does: each connection shakes hands by Samba's own ntlm_auth.

const program = '/usr/bin/ntlm_auth'
export const ntlmMissing = (): boolean => !existsSync(program)

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export type NtlmSite = {
  origin: string
  /** Shakes of hands that came to an end, and the first bytes of the answers: `NTLMv2` answers are long. */
  handshakes: () => { accepted: number; refused: number }
  close: () => Promise<void>
}

function openHelper(folder: string): { ask: (line: string) => Promise<string>; child: ChildProcess } {
  const child = spawn(
    program,
    [
      `--configfile=${join(folder, 'smb.conf')}`,
      '--helper-protocol=squid-2.5-ntlmssp',
      '--domain=CORP',
      '--username=alice',
      '--password=wonderland',
    ],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  )
  const waiting: ((line: string) => void)[] = []
  let rest = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) waiting.shift()?.(line)
  })
  return {
    child,
    ask: (line) =>
      new Promise((resolve) => {
        waiting.push(resolve)
        child.stdin.write(`${line}\n`)
      }),
  }
}

/** Serves only to CORP\alice with the password wonderland. */
export async function openNtlmSite(handler: Handler): Promise<NtlmSite> {
  const folder = mkdtempSync(join(tmpdir(), 'clearway-ntlm-'))
  const dirs = ['lock', 'state', 'cache', 'pid', 'private'].map((name) => {
    const key = name === 'private' ? 'private dir' : name === 'pid' ? 'pid directory' : `${name} directory`
    return ` ${key} = ${folder}`
  })
  writeFileSync(
    join(folder, 'smb.conf'),
    `[global]\n workgroup = CORP\n netbios name = TEST\n server role = standalone\n${dirs.join('\n')}\n`,
  )
  const helpers = new Map<Socket, ReturnType<typeof openHelper>>()
  const signedIn = new WeakSet<Socket>()
  const count = { accepted: 0, refused: 0 }
  const challenge = (response: ServerResponse, token = '') =>
    response
      .writeHead(401, { 'www-authenticate': `NTLM${token && ` ${token}`}`, 'content-type': 'text/html' })
      .end('<p>no</p>')
  const server = createServer((request, response) => {
    const { socket } = request
    if (signedIn.has(socket)) return handler(request, response)
    const [scheme, token] = (request.headers.authorization ?? '').split(' ')
    if (scheme !== 'NTLM' || !token) return challenge(response)
    let helper = helpers.get(socket)
    const first = !helper
    if (!helper) {
      helper = openHelper(folder)
      helpers.set(socket, helper)
      socket.once('close', () => helpers.get(socket)?.child.kill())
    }
    void helper.ask(`${first ? 'YR' : 'KK'} ${token}`).then((answer) => {
      if (answer.startsWith('TT ')) return challenge(response, answer.slice(3))
      helpers.get(socket)?.child.kill()
      helpers.delete(socket)
      if (!answer.startsWith('AF ')) {
        count.refused += 1
        return challenge(response)
      }
      count.accepted += 1
      signedIn.add(socket)
      return handler(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handshakes: () => ({ ...count }),
    async close() {
      for (const { child } of helpers.values()) child.kill()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
