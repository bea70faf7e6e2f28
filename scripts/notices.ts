import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type LockPackage = { version?: string; license?: string; dev?: boolean; optional?: boolean; link?: boolean }

const allowed =
  /^\(?(MIT|ISC|Apache-2\.0|BSD-2-Clause|BSD-3-Clause|0BSD|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|Unlicense|Python-2\.0|MPL-2\.0|PostgreSQL|WTFPL|Zlib)\b/

/** Packages whose package.json forgets its licence; the headers of their files state it. */
const statedInFiles: Record<string, string> = { '@react-aria/optimize-locales-plugin': 'Apache-2.0' }

/** The licence text that a package ships, or null. */
function licenceText(folder: string): string | null {
  if (!existsSync(folder)) return null
  const file = readdirSync(folder).find((f) => /^(licen[cs]e|copying)(\.|$)/i.test(f))
  return file ? readFileSync(join(folder, file), 'utf8').trim() : null
}

/**
 * Third-party notices: every package of the lockfile that the product runs with (not those for development alone), with
 * its licence. Throws when one has a licence that we have not accepted.
 */
export function notices(root: string): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockPackage>
  }
  const texts = new Map<string, string[]>()
  const rows: string[] = []
  for (const [path, info] of Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!path.includes('node_modules/') || info.link || info.dev) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const licence = info.license ?? statedInFiles[name] ?? 'not stated'
    if (!allowed.test(licence))
      throw new Error(`${name} ${info.version}: licence "${licence}" is not among the accepted ones`)
    rows.push(`| ${name} | ${info.version} | ${licence} |`)
    // Packages for other platforms are not installed here, so their texts would come and go with the machine.
    const text = info.optional ? null : licenceText(join(root, path))
    if (text) texts.set(text, [...(texts.get(text) ?? []), `${name} ${info.version}`])
  }
  const licences = [...texts].map(
    ([text, names]) => `## ${names.join(', ')}\n\n\`\`\`text\n${text.replaceAll('```', "'''")}\n\`\`\`\n`,
  )
  return [
    '# Third-party notices',
    '',
    'Clearway runs with these packages. Made by `npm run generate`.',
    '',
    '| Package | Version | Licence |',
    '| --- | --- | --- |',
    ...new Set(rows),
    '',
    ...licences,
  ].join('\n')
}

export const noticesFile = (root: string) => join(root, 'THIRD-PARTY-NOTICES.md')
export const projectRoot = dirname(import.meta.dirname)
