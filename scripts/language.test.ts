import { expect, test } from 'vitest'
import { findLanguageProblems, listDeclaredNames } from './language.ts'

const rulesIn = (file: string, content: string) => findLanguageProblems(file, content).map(({ rule }) => rule.replace(/ .*/, ''))

test.each([
  ['opening', 'a.ts', '/** What a run leaves behind. */'],
  ['opening', 'a.ts', '// Whether entries wait'],
  ['opening', 'a.tsx', '/**\n * Of a PDF there is none.\n */'],
  ['word', 'a.ts', '// Begins anew.'],
  ['word', 'a.test.ts', '// Meanwhile, another worker claims it.'],
  ['word', 'a.mjs', '// There is nobody.'],
  ['word', 'a.ts', '/** Answers the next page. */'],
  ['word', 'docs/A.md', 'The run goes on with the next page.'],
  ['word', 'docs/A.md', 'It is no more.'],
  ['british', 'a.ts', '// Analyses the page.'],
  ['british', 'docs/A.md', 'its behaviour'],
  ['vague-name', 'a.ts', 'const found = list()'],
  ['vague-name', 'a.ts', 'const { rows: known } = result'],
  ['vague-name', 'a.ts', 'const [shown, setShown] = useState(0)'],
  ['superlative-name', 'a.ts', 'export const mostElements = 150_000'],
  ['british-name', 'a.ts', 'export function analysePage() {}'],
])('finds a planted %s in %s: %s', (rule, file, content) => expect(rulesIn(file, content)).toEqual([rule]))

test.each([
  ['a.ts', '/** Findings to store, up to the limit. */\nconst maxFindings = 5'],
  ['a.ts', "const text = 'Who is there? Whoever it is'"],
  ['a.ts', '// At most two, no more than that; its answers are cached.'],
  ['a.test.ts', 'const found = list()'],
  ['docs/A.md', '```sh\nlook at it\n```\nThe field `meanwhile` is a number.'],
])('accepts %s: %s', (file, content) => expect(rulesIn(file, content)).toEqual([]))

test('counts names as declared, with what is destructured', () =>
  expect(listDeclaredNames('const a = 1; let { b, c: d, ...e } = x; const [f] = y; type G = 1; // const h')).toEqual([
    'a',
    'b',
    'd',
    'e',
    'f',
    'G',
  ]))
