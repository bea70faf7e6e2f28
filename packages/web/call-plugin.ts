import { pathToFileURL } from 'node:url'
import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import type { Plugin } from 'vite'

const callTablePattern = /\/contract\/src\/(account|monitor)\/(.+\/)?api\.ts$/

/** Reduces an endpoint to the parts that a client needs. */
const toClientCall = ({ method, path, reply }: Endpoint) => ({ method, path, reply: 'blob' in reply ? { blob: reply.blob } : {} })

/**
 * Strips the schemas from the contract's call tables in the built web app. Only the server validates with them, and
 * creating them would take a browser longer than showing the first list.
 */
export function callPlugin(): Plugin {
  return {
    name: 'clearway-calls',
    apply: 'build',
    load: {
      filter: { id: callTablePattern },
      async handler(id) {
        const contractTables = (await import(pathToFileURL(id).href)) as Record<string, Record<string, Endpoint>>
        return Object.entries(contractTables)
          .map(([name, calls]) => {
            const clientCalls = Object.entries(calls).map(([call, endpoint]) => [call, toClientCall(endpoint)])
            return `export const ${name} = ${JSON.stringify(Object.fromEntries(clientCalls))}\n`
          })
          .join('')
      },
    },
  }
}
