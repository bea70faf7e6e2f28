import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Checks commit messages: `area(noun): verb object` in at most 72 characters, and a body with the reason (CONTRIBUTING.md).
 *
 *   npm run check commits                                  the commits since this check exists
 *   node scripts/node24.mjs scripts/commits.ts FILE        one message, as the commit-msg hook calls it
 */

const areas = ['build', 'chore', 'ci', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test']
const maxSubjectLength = 72
const subjectShape = new RegExp(String.raw`^(${areas.join('|')})(\([a-z0-9-]+\))?!?: [a-z]\S*( \S+)+$`)

/** Returns the problems of a commit message. Comment lines of git are ignored. */
export function findMessageProblems(message: string): string[] {
  const lines = message.split('\n').filter((line) => !line.startsWith('#'))
  const [subject = '', separator = '', ...body] = lines
  if (/^(Merge|Revert) /.test(subject)) return []
  return [
    subjectShape.test(subject) ? null : `subject is not "area(noun): verb object", area one of ${areas.join(', ')}`,
    subject.length > maxSubjectLength ? `subject has ${subject.length} characters of ${maxSubjectLength}` : null,
    subject.endsWith('.') ? 'subject ends with a period' : null,
    separator.trim() === '' ? null : 'second line is not empty',
    body.join('').trim() === '' ? 'body with the reason is missing' : null,
  ].filter((problem) => problem !== null)
}

/** Commits after the one that introduced this file, each with its problems. */
export function findCommitProblems(root: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
  const introduced = git('log', '--diff-filter=A', '--format=%H', '--', 'scripts/commits.ts').trim().split('\n').at(-1)
  if (!introduced) return []
  const commits = git('log', '--no-merges', '--format=%H%x00%B%x01', `${introduced}..HEAD`).split('\u0001')
  return commits.flatMap((commit) => {
    const [hash = '', message = ''] = commit.trim().split('\0')
    return hash === '' ? [] : findMessageProblems(message).map((problem) => `${hash.slice(0, 8)}: ${problem}`)
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const messageFile = process.argv[2]
  const problems = messageFile
    ? findMessageProblems(readFileSync(messageFile, 'utf8'))
    : findCommitProblems(join(import.meta.dirname, '..'))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
