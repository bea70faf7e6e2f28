import { readFileSync, realpathSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join, resolve, sep } from 'node:path'
import sirv from 'sirv'
import type { HostMap } from './server-baseline.ts'
import { WrongArgument } from './wrong-argument.ts'

/** Stands for the host of a folder that is served: its port is not known before. */
const folderOrigin = 'http://folder.localhost'

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Start URLs in a served folder: a path, or the URL that the page has on the site. @throws WrongArgument */
export function resolveServedTargets(folder: string, targets: readonly string[]): string[] {
  if (!isFolder(folder)) throw new WrongArgument(`--serve takes a folder, and "${folder}" is none.`)
  return (targets.length > 0 ? targets : ['/']).map((target) => (target.startsWith('/') ? folderOrigin + target : target))
}

/** The file system path of a URL path; null for one that leads out of the folder or cannot be decoded. */
function findPath(folder: string, urlPath: string): string | null {
  try {
    const path = join(folder, decodeURIComponent(urlPath))
    if (path.includes('\0')) return null
    return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? path : null
  } catch {
    return null
  }
}

/** Returns true if a symbolic link leads out of the folder: reports may be public, other files are not. */
function leadsOut(root: string, path: string): boolean {
  try {
    const target = realpathSync(path)
    return target !== root && !target.startsWith(root.endsWith(sep) ? root : root + sep)
  } catch {
    return false
  }
}

function readNotFoundPage(root: string): Buffer | string {
  const file = join(root, '404.html')
  return statSync(file, { throwIfNoEntry: false })?.isFile() && !leadsOut(root, file) ? readFileSync(file) : 'Not found'
}

/** Serves a folder on this machine as hosts of static sites do: `index.html`, addresses without `.html`, `404.html`. */
export async function serveFolder(folder: string): Promise<{ origin: string; close: () => void }> {
  const root = realpathSync(resolve(folder))
  const sendFile = sirv(root, { dev: true, etag: true, extensions: ['html'] })
  const server = createServer((request, response) => {
    const { url: target = '/' } = request
    const [pathname = '/'] = target.split('?', 1)
    const path = findPath(root, pathname)
    const sendNotFound = () =>
      void response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' }).end(readNotFoundPage(root))
    if (path === null || [path, `${path}.html`, join(path, 'index.html')].some((file) => leadsOut(root, file)))
      return sendNotFound()
    if (pathname.endsWith('/') || !isFolder(path)) return sendFile(request, response, sendNotFound)
    // Relative links count from the folder only with the slash.
    const location = `${pathname.replace(/^\/{2,}/, '/')}/${target.slice(pathname.length)}`
    response.writeHead(301, { location }).end()
    return undefined
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

type ServedScan = { urls: string[]; hostMaps?: HostMap[] }

/** Points a scan at a served folder, whose pages are those of the named site. @throws WrongArgument for several sites */
export function pointToFolder<T extends ServedScan>(scanArguments: T, servedOrigin: string): T {
  const siteOrigins = [...new Set(scanArguments.urls.map((url) => new URL(url).origin))].filter(
    (origin) => origin !== folderOrigin,
  )
  if (siteOrigins.length > 1) throw new WrongArgument(`--serve stands for one site, not for ${siteOrigins.join(' and ')}.`)
  const siteMaps = siteOrigins.map((siteOrigin) => ({ from: servedOrigin, to: siteOrigin }))
  return {
    ...scanArguments,
    urls: [...new Set(scanArguments.urls.map((url) => servedOrigin + url.slice(new URL(url).origin.length)))],
    ...(siteMaps.length > 0 ? { hostMaps: [...siteMaps, ...(scanArguments.hostMaps ?? [])] } : {}),
  }
}
