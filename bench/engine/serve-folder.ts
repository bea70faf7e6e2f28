import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, relative } from 'node:path'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.vtt': 'text/vtt',
  '.xml': 'application/xml',
  '.xhtml': 'application/xhtml+xml',
  '.json': 'application/json',
}

/** Serves a folder of files on 127.0.0.1, `index.html` for folders, nothing outside it. */
export async function serveFolder(folder: string, port = 0) {
  const root = realpathSync(folder)
  const server = createServer((request, response) => {
    try {
      const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname)
      let file = join(root, path)
      if (statSync(file).isDirectory()) file = join(file, 'index.html')
      const body = readFileSync(file)
      response.writeHead(200, {
        'content-type': types[extname(file)] ?? 'application/octet-stream',
        'content-length': body.length,
      })
      response.end(body)
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found')
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const pages = (readdirSync(root, { recursive: true }) as string[])
    .filter((f) => f.endsWith('.html'))
    .map((f) => `${url}/${relative('.', f)}`)
    .sort()
  return { url, pages, close: () => server.close() }
}
