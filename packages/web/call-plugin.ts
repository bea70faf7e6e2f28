import { pathToFileURL } from 'node:url'
import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import type { Plugin } from 'vite'

const table = /\/contract\/src\/(account|monitor)\/(.+\/)?api\.ts$/

/** What a client needs to know about a call. */
const callOf = ({ method, path, reply }: Endpoint) => ({
  method,
  path,
  reply: 'blob' in reply ? { blob: reply.blob } : {},
})

/**
 * A built web app gets the contract's tables of calls without their schemas: it is the server that checks by them, and a
 * browser would spend longer on making them than on showing its first list.
 */
export function callPlugin(): Plugin {
  return {
    name: 'clearway-calls',
    apply: 'build',
    load: {
      filter: { id: table },
      async handler(id) {
        const tables = (await import(pathToFileURL(id).href)) as Record<string, Record<string, Endpoint>>
        return Object.entries(tables)
          .map(([name, calls]) => {
            const known = Object.entries(calls).map(([call, endpoint]) => [call, callOf(endpoint)])
            return `export const ${name} = ${JSON.stringify(Object.fromEntries(known))}\n`
          })
          .join('')
      },
    },
  }
}
