import { readFileSync } from 'node:fs'

/** Reads the version of the product. */
export function readProductVersion(): string {
  const packageFile = new URL('../../../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version
}
