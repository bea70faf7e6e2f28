import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languageNames } from '../packages/web/src/app/languages.ts'

/** A deviation of the tree from the structure in docs/ARCHITECTURE.md. */
export type StructureProblem = { rule: string; file: string; why: string }

const monitorNouns =
  'access|audit|component|config|group|health|issue|notification|page|preset|ruleset|run|scan|schedule|script|session|setting|share|user|view'
const accountNouns = 'member|notice|team'
const noun = `(monitor/(${monitorNouns})|account/(${accountNouns}))`
const name = '[a-z0-9]+(-[a-z0-9]+)*'
/** A dictionary of texts that belong to a noun. */
const language = '(de|en|es|fr|it|ja)'
const ts = '(\\.test)?\\.ts'
const tsx = '(\\.test)?\\.tsx?|\\.module\\.css'

/** The closed vocabulary of allowed file names and places. A folder is a singular noun, a file is a role. */
const vocabulary: [folder: string, allowed: RegExp][] = [
  [
    'packages/contract/src/',
    new RegExp(`^(kit/${name}${ts}|(monitor|account)/(api|schema)\\.ts|${noun}/(${name}/)?(schema|api|model|${language})${ts})$`),
  ],
  [
    'packages/engine/src/',
    new RegExp(
      `^((scan|engine-event|frontier|failure|outcome|settings)(-${name})?${ts}|(browser|guard|crawl|session|script|axe|pdf|drive)/(${name}/)?${name}${ts})$`,
    ),
  ],
  [
    'packages/server/src/',
    new RegExp(
      `^((main|config)${ts}|process/(command/)?${name}${ts}|kit/(${name}/)?${name}${ts}|migrations/${name}\\.ts|(monitor|account)/database\\.ts|idp/(${name}/)?${name}(${ts}|\\.css)|${noun}/(${name}/)?(table|store|model|service|routes|jobs|${language})${ts})$`,
    ),
  ],
  [
    'packages/web/src/',
    new RegExp(
      `^((app|kit)/(${name}/)?${name}(${tsx}|\\.css|\\.d\\.ts)|${noun}/((queries|model)(-${name})?${ts}|(${name}/){1,2}${name}(${tsx}))|locales/(${Object.keys(languageNames).join('|')})\\.po|${name}\\.d\\.ts)$`,
    ),
  ],
  ['packages/server/test/', new RegExp(`^(${name}/)?${name}${ts}$`)],
  ['packages/web/test/', new RegExp(`^${name}(${tsx})$`)],
  ['packages/cli/src/', new RegExp(`^((ci|label)/)?${name}${ts}$`)],
]

const vagueNames = /(^|\/|-)(utils?|helpers?|common|manager|base|misc)(\.|\/|-|$)/

/** Words of docs/WORDS.md that never occur by chance. Dictionaries have a separate check. */
const ownWords = {
  only: /\.(ts|tsx|mjs|css|md|html|sh|yml|yaml)$/,
  except: /^(scripts\/(language|structure)|docs\/WORDS\.md|packages\/web\/glossary|THIRD-PARTY-NOTICES)|\/migrations\/|\/data\//,
}
/** Text forbidden in the repository, with the files where it is allowed. */
const forbiddenText: { rule: string; pattern: RegExp; why: string; only?: RegExp; except?: RegExp }[] = [
  {
    rule: 'color-outside-tokens',
    pattern: /#[0-9a-f]{3,8}\b(?=[^{]*[;}])|\brgba?\(|\bhsla?\(|\boklch\(/i,
    only: /^packages\/web\/src\/.*\.css$/,
    except: /\/tokens\.css$/,
    why: 'raw colors are in tokens.css only',
  },
  {
    rule: 'unfinished',
    pattern: /\b(TODO|FIXME|XXX)\b/,
    only: /\.(ts|tsx|mjs|css|md)$/,
    except: /^scripts\/structure/,
    why: 'what is not done is not in the code',
  },
  {
    rule: 'bare-number-in-sql',
    pattern:
      /\b(status|change|severity|presence|state|health|role|worst|impact)\s*(=|<>|<=?|>=?)\s*\d|\b(status|change|severity|presence|state|health|role)\s+in\s*\(\d|\bcase\b[^`]*?\b(status|change|severity|presence|state|health|role)\b[^`]*?\b(then|else|when) \d/,
    only: /^packages\/server\/src\/.*\/store\.ts$/,
    why: 'a stored number has a name in table.ts of its noun',
  },
  {
    rule: 'bare-number-of-row',
    pattern: /\.(status|change|severity|presence|health|impact) *(===|!==|<=?|>=?) *\d\b/,
    only: /^packages\/server\/src\/monitor\/.*(?<!\.test)\.ts$/,
    why: 'compare the word, which the list in model.ts of its noun has for the number',
  },
  {
    rule: 'inherited-key',
    pattern: /^(export )?const \w+: (Readonly<|Partial<)*Record<string,[^=\n]*= \{(?!\})/m,
    only: /^packages\/(contract|engine|server|cli)\/src\/.*(?<!\.test)\.ts$/,
    except: /^packages\/(contract\/src\/monitor\/view\/model|server\/src\/monitor\/ruleset\/pdf\/model)\.ts$/,
    why: 'a table indexed by any text is a Map: an object also finds constructor and __proto__',
  },
  {
    rule: 'unknown-slow-tag',
    // A test that is slow for Vitest, but not for vitest.config.ts, would run in no part of a complete run.
    pattern: /@module-tag(?! slow \*\/$)|(?<!^\/\*\* )@module-tag|\btags: *\[\s*(?!'slow'\])['"]?slow\b/m,
    only: /\.test\.tsx?$/,
    except: /^scripts\/structure\.test\.ts$/,
    why: "write /** @module-tag slow */ on a line of its own, or tags: ['slow']",
  },
  {
    rule: 'registry-host',
    pattern: /registry\.(npmjs|yarnpkg)\.|pypi\.org|repo1?\.maven/,
    except: /^scripts\/structure/,
    why: 'where packages come from is the business of the machine',
  },
  {
    rule: 'outside-path',
    pattern: /\.\.\/shared\b|\/work\/(main|shared)/,
    except: /^(scripts\/structure|\.ci\/)/,
    why: 'the project speaks of itself alone',
  },
  {
    rule: 'person-is-he',
    pattern: /(?<![\p{L}\p{N}_])(he|him|his|himself)(?![\p{L}\p{N}_])/iu,
    only: /\.(ts|tsx|mjs|css|md|html|sh|yml|yaml|json)$|locales\/en\.po$/,
    except: /^(scripts\/structure|fixtures\/|THIRD-PARTY-NOTICES)|\/migrations\/|\/data\//,
    why: 'a person is “they” (docs/WORDS.md)',
  },
  {
    rule: 'word',
    pattern:
      /\b(mend(s|ed|ing)?|colours?|favourites?|behaviours?|taken care of|look(s|ed|ing)? after|(web|start) address(es)?|record of who did what)\b/i,
    ...ownWords,
    why: 'docs/WORDS.md has another word for it',
  },
  {
    rule: 'word-of-a-name',
    pattern: /\b(function|const|let|type|class) ((tell|told|hear|heard)(?![a-z])|Places?\b)/,
    only: /\.(ts|tsx|mjs)$/,
    except: ownWords.except,
    why: 'publish, subscribe, notify; and what the place is',
  },
  {
    rule: 'change-without-time',
    pattern:
      /update issue\b(?![^`]*(?:updated_at|setUpdatedNow))[^`]*\b(status|presence|severity|marked|review|review_reason|assigned_to|remediation|ticket_url|labels|component|ignore_id) =/,
    only: /^packages\/server\/src\/(?!migrations\/).*(?<!\.test)\.ts$/,
    why: 'a change of an issue that users see sets its time: setUpdatedNow of issue/table.ts',
  },
  {
    rule: 'focus-of-the-title',
    pattern: /querySelector\(['"]h1['"]\)/,
    only: /^packages\/web\/src\/.*\.tsx?$/,
    except: /\/kit\/page\/focus-title\.ts$|\.test\.tsx?$/,
    why: 'focusTitle of kit/page gives the focus to the title',
  },
  { rule: 'document-outside', pattern: /\bthe specification\b(?! of)/i, ...ownWords, why: 'cite only what is in the repository' },
]

const kebab = /^[.]?[a-z0-9]+([-.][a-z0-9]+)*$/
const upperAllowed = /^(README|CONTRIBUTING|LICENSE|SECURITY|THIRD-PARTY-NOTICES|ARCHITECTURE|DATA-MODEL|[A-Z-]+)(\.md)?$/

/** Returns problems with the names and places of files. @param files paths relative to the root, with slashes */
export function findPlaceProblems(files: readonly string[]): StructureProblem[] {
  const problems: StructureProblem[] = []
  for (const file of files) {
    for (const [folder, allowed] of vocabulary)
      if (file.startsWith(folder) && !allowed.test(file.slice(folder.length)))
        problems.push({ rule: 'vocabulary', file, why: `not a file that ${folder} has a place for` })
    if (/\.(ts|tsx|mjs|css)$/.test(file) && vagueNames.test(file))
      problems.push({ rule: 'vague-name', file, why: 'say what it is' })
    if (file.endsWith('/index.ts') || file.endsWith('/index.tsx'))
      problems.push({ rule: 'barrel', file, why: 'import from the file that has it' })
    const fileName = file.split('/').at(-1)!
    if (!kebab.test(fileName) && !upperAllowed.test(fileName) && !/^(deploy|\.github)\//.test(file))
      problems.push({ rule: 'kebab-case', file, why: 'file names are kebab-case' })
  }
  return problems
}

/** Returns problems with the text of a file. */
export function findTextProblems(file: string, text: string): StructureProblem[] {
  const problems = forbiddenText
    .filter((f) => (f.only?.test(file) ?? true) && !f.except?.test(file) && f.pattern.test(text))
    .map(({ rule, why }) => ({ rule, file, why }))
  if (file.endsWith('.css') && text.split('\n').length > 301)
    problems.push({ rule: 'css-length', file, why: 'over 300 lines: split it' })
  return problems
}

/** Returns problems of the whole tree as seen by git (tracked files, and new ones that are not ignored). */
export function findStructureProblems(root: string): StructureProblem[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).split('\n').filter(Boolean)
  const textFiles = files.filter((f) => /\.(ts|tsx|mjs|js|css|json|md|html|sh|yml|yaml|po)$|(^|\/)(\.npmrc|run)$/.test(f))
  return [
    ...findPlaceProblems(files),
    ...textFiles.flatMap((f) => {
      try {
        return findTextProblems(f, readFileSync(join(root, f), 'utf8'))
      } catch {
        return [] // Deleted, but still tracked.
      }
    }),
  ]
}
