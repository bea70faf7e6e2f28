import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Checks the language of names, comments and documents (docs/WORDS.md, "Names and comments").
 *
 *   npm run check language                                   fails on a violation
 *   node scripts/node24.mjs scripts/language.ts --report     prints the figures of the product's sources
 */

export type LanguageProblem = { rule: string; file: string; line: number; text: string }

/** Names that do not say what they hold. */
const vagueNames = new Set(
  'found own known end before still also held made asked shown rest given left taken kept told heard meant'.split(' '),
)
const superlativeName = /^(most|longest|largest)[A-Z]/
const commentOpening = /^(What|Who|Whoever|Whom|Whose|Of (a|an|the)|Whether)\b/

/** Words that make a sentence read as translated, each with its replacement. */
const replacements: [pattern: RegExp, replacement: string][] = [
  [/\banew\b/i, 'again'],
  [/\bmeanwhile\b/i, 'while …, or in the meantime'],
  [/\b(somebody|nobody|everybody|whoever|whom)\b/i, 'users, the caller, no user'],
  [/\bno more\b(?! than)/i, 'no longer'],
  [/\bat the most\b/i, 'at most'],
  [/\bthe one before\b/i, 'the previous one'],
  [/\b(what is left|(is|are) at work)\b/i, 'remaining; in progress'],
  [/\b(go|goes|going|went) on\b/i, 'continue'],
  [/\b(is|are) to be\b/i, 'must be, will be'],
  [/\blook(s|ed|ing)? at\b/i, 'reads, checks, inspects'],
  [/\bbeside\b/i, 'next to, in addition to'],
  [/(?<!\b(its|the|their|all|whose|of|these|two|no|their|service’s|vendor's|these) )\banswers\b/i, 'returns'],
  [/\bas good as (no|none|nothing)\b/i, 'treated as missing'],
]
const britishSpelling =
  /\b(analys(e|ed|es|er|ing)|(normal|author|recogn|organ|serial|initial|summar|optim|minim|maxim|priorit|custom)is(e|ed|es|er|ing|ation)|catalogues?|colours?|behaviours?|neighbours?|neighbouring|favour(ite|ites|s)?|centres?|licences?|grey|honour(s|ed)?|labelled|judgement)\b/i
const britishName =
  /[Aa]nalyse|(ormal|uthor|ecogn|rgan|erial|nitial|ummar|ptim|inim|axim)ise|olour|ehaviour|eighbour|avourite|atalogue/

const isCode = (file: string): boolean => /\.(ts|tsx|mjs)$/.test(file)
const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)

type Comment = { line: number; text: string }

/** Comment texts of a program, a line each. */
function listComments(program: string): Comment[] {
  return program.split('\n').flatMap((line, index) => {
    const text = /(?:\/\*\*?|(?<!:)\/\/|^\s*\*)[ \t]+(\S.*)/.exec(line)?.[1]
    return text === undefined ? [] : [{ line: index + 1, text }]
  })
}

/** Declared names: const, let, var, function, class, interface, type, enum, and what a const or let destructures. */
export function listDeclaredNames(program: string): string[] {
  const code = program.replaceAll(/\/\*[\s\S]*?\*\/|(^|[^:])\/\/.*$/gm, '$1').replaceAll(/`[^`]*`|"[^"\n]*"|'[^'\n]*'/g, '0')
  const declarations = code.matchAll(
    /\b(?:const|let|var|function\*?|class|interface|type|enum)\s+([A-Za-z_$][\w$]*)|\b(?:const|let)\s*[{[]([^}\]=]*)[}\]]\s*=/g,
  )
  return [...declarations].flatMap(([, single, destructured = '']) =>
    single === undefined
      ? destructured
          .split(',')
          .map((part) =>
            part
              .split(':')
              .at(-1)!
              .trim()
              .replace(/^\.\.\./, ''),
          )
          .filter((part) => /^[A-Za-z_$][\w$]*$/.test(part))
      : [single],
  )
}

/** Text of a document without code, which may say anything. */
const listSentences = (document: string): Comment[] => {
  let isFenced = false
  return document.split('\n').flatMap((line, index) => {
    if (/^\s*```/.test(line)) isFenced = !isFenced
    return isFenced ? [] : [{ line: index + 1, text: line.replaceAll(/`[^`]*`|\([^)\s]*\)/g, '') }]
  })
}

/** Violations in one file. @param file its path from the root, which decides how it is read */
export function findLanguageProblems(file: string, content: string): LanguageProblem[] {
  const texts = isCode(file) ? listComments(content) : listSentences(content)
  const inTexts = texts.flatMap(({ line, text }) => {
    const rules = [
      isCode(file) && commentOpening.test(text) ? 'opening' : null,
      ...replacements.map(([pattern, replacement]) => (pattern.test(text) ? `word (${replacement})` : null)),
      britishSpelling.test(text) ? 'british' : null,
    ]
    return rules.flatMap((rule) => (rule === null ? [] : [{ rule, file, line, text }]))
  })
  const names = isCode(file) && !isTest(file) ? listDeclaredNames(content) : []
  const inNames = names.flatMap((name) => {
    const rule = vagueNames.has(name)
      ? 'vague-name'
      : superlativeName.test(name)
        ? 'superlative-name'
        : britishName.test(name)
          ? 'british-name'
          : null
    const line = content.slice(0, content.search(new RegExp(String.raw`\b${name}\b`))).split('\n').length
    return rule === null ? [] : [{ rule, file, line, text: name }]
  })
  return [...inTexts, ...inNames]
}

/** Files whose words are their own: the list of forbidden words, texts of others, frozen migrations and recorded data. */
const exempted =
  /^(scripts\/language|scripts\/structure|docs\/WORDS\.md|docs\/generated\/|packages\/web\/glossary|THIRD-PARTY-NOTICES)|\/migrations\/|\/data\//

const listFiles = (root: string): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
    .split('\n')
    .filter((file) => /\.(ts|tsx|mjs|md)$/.test(file))

function readExisting(root: string, file: string): string {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return '' // deleted, but still tracked
  }
}

/** Violations of the whole tree, as git sees it. */
export const findTreeProblems = (root: string): LanguageProblem[] =>
  listFiles(root)
    .filter((file) => !exempted.test(file))
    .flatMap((file) => findLanguageProblems(file, readExisting(root, file)))

/** Figures of the product's sources, tests excluded: one line. */
export function reportLanguage(root: string): string {
  const programs = listFiles(root)
    .filter((file) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file))
    .map((file) => ({ file, content: readExisting(root, file) }))
  const sources = programs.filter(({ file }) => !isTest(file))
  const names = sources.flatMap(({ content }) => listDeclaredNames(content))
  const comments = sources.flatMap(({ content }) => listComments(content))
  const count = (matches: readonly unknown[], label: string) => `${matches.length} ${label}`
  const letters = names.reduce((sum, name) => sum + name.length, 0)
  return [
    count(names, 'names'),
    `average ${(letters / names.length).toFixed(1)} letters`,
    count(
      names.filter((name) => vagueNames.has(name)),
      'vague',
    ),
    count(
      names.filter((name) => superlativeName.test(name)),
      'superlative',
    ),
    count(
      comments.filter(({ text }) => commentOpening.test(text)),
      'comment openings',
    ),
    count(
      comments.filter(({ text }) => britishSpelling.test(text)),
      'British spellings',
    ),
    count(comments, 'comment lines'),
    `${programs.reduce((sum, { content }) => sum + content.split('\n').length, 0)} lines with tests`,
  ].join(', ')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = join(import.meta.dirname, '..')
  if (process.argv.includes('--report')) console.log(reportLanguage(root))
  else for (const { rule, file, line, text } of findTreeProblems(root)) console.log(`${file}:${line}: ${rule}: ${text}`)
}
