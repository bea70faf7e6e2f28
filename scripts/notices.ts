import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type LockPackage = { version?: string; license?: string; dev?: boolean; optional?: boolean; link?: boolean }

const allowed =
  /^\(?(MIT|ISC|Apache-2\.0|BSD-2-Clause|BSD-3-Clause|0BSD|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|Unlicense|Python-2\.0|MPL-2\.0|PostgreSQL|WTFPL|Zlib)\b/

/** Packages whose package.json lacks the license; the headers of their files state it. */
const statedInFiles: Record<string, string> = { '@react-aria/optimize-locales-plugin': 'Apache-2.0' }

/** Data that is copied from packages which are not installed; the license is next to it. */
const copiedData = [{ name: 'franc', version: '6.2.0', license: 'MIT', file: 'packages/engine/data/trigrams-license.txt' }]

/** Returns the license text that a package ships, or null. */
function readLicenseText(folder: string): string | null {
  if (!existsSync(folder)) return null
  const file = readdirSync(folder).find((f) => /^(licen[cs]e|copying)(\.|$)/i.test(f))
  return file ? readFileSync(join(folder, file), 'utf8').trim() : null
}

/**
 * Builds the third-party notices: every runtime package of the lockfile, without development packages, and copied data, with
 * its license.
 * Throws when one has a license that is not accepted.
 */
export function buildNotices(root: string): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockPackage> }
  const namesByText = new Map<string, string[]>()
  const tableRows: string[] = []
  for (const [path, info] of Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!path.includes('node_modules/') || info.link || info.dev) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const license = info.license ?? statedInFiles[name] ?? 'not stated'
    if (!allowed.test(license)) throw new Error(`${name} ${info.version}: license "${license}" is not among the accepted ones`)
    tableRows.push(`| ${name} | ${info.version} | ${license} |`)
    // Packages for other platforms are not installed here, so their texts would vary with the machine.
    const licenseText = info.optional ? null : readLicenseText(join(root, path))
    if (licenseText) namesByText.set(licenseText, [...(namesByText.get(licenseText) ?? []), `${name} ${info.version}`])
  }
  for (const { name, version, license, file } of copiedData) {
    tableRows.push(`| ${name} (data) | ${version} | ${license} |`)
    const licenseText = readFileSync(join(root, file), 'utf8').trim()
    namesByText.set(licenseText, [...(namesByText.get(licenseText) ?? []), `${name} ${version} (data)`])
  }
  const licenseSections = [...namesByText].map(
    ([licenseText, packageNames]) =>
      `## ${packageNames.join(', ')}\n\n\`\`\`text\n${licenseText.replaceAll('```', "'''")}\n\`\`\`\n`,
  )
  return [
    '# Third-party notices',
    '',
    'Clearway runs with these packages. Made by `npm run generate`.',
    '',
    '| Package | Version | Licence |',
    '| --- | --- | --- |',
    ...new Set(tableRows),
    '',
    ...licenseSections,
  ].join('\n')
}

export const getNoticesFile = (root: string) => join(root, 'THIRD-PARTY-NOTICES.md')
export const projectRoot = dirname(import.meta.dirname)
