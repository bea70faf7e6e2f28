import { readFileSync } from 'node:fs'

export function readProductVersion(): string {
  const packageFile = new URL('../../../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version
}
