import { readFileSync } from 'node:fs'

type Manifest = { version: string; build?: string }

const readManifest = (): Manifest =>
  JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as Manifest

export const readProductVersion = (): string => readManifest().version

export const describeProgram = () => ({ product: readProductVersion(), build: readProductBuild() })

/** Commit and time of a release or an image; `development` for other copies. */
export const readProductBuild = (): string => readManifest().build ?? 'development'
