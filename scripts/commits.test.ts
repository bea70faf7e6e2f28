import { expect, test } from 'vitest'
import { findMessageProblems } from './commits.ts'

test.each([
  'fix(guard): refuse IPv4-mapped IPv6 addresses\n\nThey reach the same hosts as IPv4.\n',
  'docs: explain backups\n\nOperators asked.\n# a comment of git\n',
  'Merge branch main',
])('accepts %j', (message) => expect(findMessageProblems(message)).toEqual([]))

test.each([
  ['Say once who is at work\n\nReason.', /area\(noun\)/],
  ['stuff(run): change it\n\nReason.', /area\(noun\)/],
  ['fix(run): Change it\n\nReason.', /area\(noun\)/],
  ['fix(run): change\n\nReason.', /area\(noun\)/],
  [`fix(run): change ${'it '.repeat(22)}now\n\nReason.`, /characters/],
  ['fix(run): change it.\n\nReason.', /period/],
  ['fix(run): change it\nat once\n\nReason.', /second line/],
  ['fix(run): change it\n', /body/],
  ['fix(run): change it\n\n# only a comment\n', /body/],
])('refuses %j', (message, problem) => expect(findMessageProblems(message).join('; ')).toMatch(problem))
