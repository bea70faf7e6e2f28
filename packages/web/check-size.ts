import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const distFolder = fileURLToPath(new URL('dist/', import.meta.url))
/**
 * Limits in bytes after gzip. The scan list is the usual first screen. Texts of later screens, which load in the background, grow
 * with every screen.
 */
const sizeLimits = { scanList: 190 * 1024, chunk: 45_000, texts: 50_000, styles: 25_000, language: 30_000 }

const measureGzipSize = (file: string): number => gzipSync(readFileSync(distFolder + file), { level: 9 }).length
const sumSizes = (files: readonly string[]): number => files.reduce((totalSize, file) => totalSize + measureGzipSize(file), 0)

/** Returns the files of the built application that are too large, one line each. `report` receives every size. */
export function findSizeFaults(report: (line: string) => void = () => undefined): string[] {
  const indexHtml = readFileSync(`${distFolder}index.html`, 'utf8')
  const initialFiles = [...indexHtml.matchAll(/(?:src|href)="\/monitor\/([^"]+\.(?:js|css))"/g)].map((match) => match[1] ?? '')
  const assetFiles = readdirSync(`${distFolder}assets`).map((file) => `assets/${file}`)
  const languageFiles = assetFiles.filter((file) => file.startsWith('assets/first-texts-'))
  const maxLanguageSize = Math.max(...languageFiles.map(measureGzipSize))
  const sizeErrors: string[] = []
  const checkSize = (label: string, size: number, limit: number) => {
    report(`${label}: ${(size / 1024).toFixed(1)} KiB of ${(limit / 1024).toFixed(1)}`)
    if (size > limit) sizeErrors.push(`${label} has ${size} bytes after gzip; at most ${limit} are allowed`)
  }
  checkSize('scan list', sumSizes(initialFiles.filter((file) => file.endsWith('.js'))) + maxLanguageSize, sizeLimits.scanList)
  checkSize('styles at first', sumSizes(initialFiles.filter((file) => file.endsWith('.css'))), sizeLimits.styles)
  checkSize('heaviest language', maxLanguageSize, sizeLimits.language)
  const lazyFiles = assetFiles.filter(
    (file) => file.endsWith('.js') && !initialFiles.includes(file) && !languageFiles.includes(file),
  )
  for (const lazyFile of lazyFiles) {
    const limit = lazyFile.startsWith('assets/later-texts-') ? sizeLimits.texts : sizeLimits.chunk
    if (measureGzipSize(lazyFile) > limit) checkSize(lazyFile, measureGzipSize(lazyFile), limit)
  }
  return sizeErrors
}

if (import.meta.main) {
  const sizeErrors = findSizeFaults(console.log)
  for (const sizeError of sizeErrors) console.error(sizeError)
  if (sizeErrors.length > 0) process.exit(1)
}
