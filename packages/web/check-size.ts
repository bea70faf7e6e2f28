import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const dist = fileURLToPath(new URL('dist/', import.meta.url))
/** Bytes after gzip. The scan list is what most people load first. */
const limits = { scanList: 190 * 1024, chunk: 45_000, styles: 25_000, language: 30_000 }

const sizeOf = (file: string): number => gzipSync(readFileSync(dist + file), { level: 9 }).length
const sum = (files: readonly string[]): number => files.reduce((total, file) => total + sizeOf(file), 0)

/** What is too large in the built application, one line each; `report` gets every figure. */
export function sizeFaults(report: (line: string) => void = () => undefined): string[] {
  const html = readFileSync(`${dist}index.html`, 'utf8')
  const named = [...html.matchAll(/(?:src|href)="\/monitor\/([^"]+\.(?:js|css))"/g)].map(
    (match) => match[1] ?? '',
  )
  const assets = readdirSync(`${dist}assets`).map((file) => `assets/${file}`)
  const languages = assets.filter((file) => file.startsWith('assets/first-texts-'))
  const heaviest = Math.max(...languages.map(sizeOf))
  const faults: string[] = []
  const check = (what: string, size: number, limit: number) => {
    report(`${what}: ${(size / 1024).toFixed(1)} KiB of ${(limit / 1024).toFixed(1)}`)
    if (size > limit) faults.push(`${what} has ${size} bytes after gzip; at most ${limit} are allowed`)
  }
  check('scan list', sum(named.filter((file) => file.endsWith('.js'))) + heaviest, limits.scanList)
  check('styles at first', sum(named.filter((file) => file.endsWith('.css'))), limits.styles)
  check('heaviest language', heaviest, limits.language)
  const later = assets.filter(
    (file) => file.endsWith('.js') && !named.includes(file) && !languages.includes(file),
  )
  for (const file of later) if (sizeOf(file) > limits.chunk) check(file, sizeOf(file), limits.chunk)
  return faults
}

if (import.meta.main) {
  const faults = sizeFaults(console.log)
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exit(1)
}
