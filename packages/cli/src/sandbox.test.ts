import { expect, it } from 'vitest'
import { describeMissingSandbox, readSandboxMode } from './sandbox.ts'

it('lets CLEARWAY_SANDBOX=on refuse, also with --no-sandbox, and accepts both ways to switch the sandbox off', () => {
  expect([true, false].map((option) => readSandboxMode(option, 'on'))).toEqual(['always', 'always'])
  expect([true, false].map((option) => readSandboxMode(option, 'off'))).toEqual([false, false])
  for (const setting of [undefined, '', 'auto'])
    expect([true, false].map((option) => readSandboxMode(option, setting))).toEqual([true, false])
  expect(readSandboxMode(true, 'yes')).toEqual({ wrong: 'CLEARWAY_SANDBOX is on, off or auto, not "yes".' })
})

it('warns of a browser without a sandbox that was not requested', () => {
  const root = { source: 'system', sandboxed: false }
  expect(describeMissingSandbox(true, root)).toContain('runs without its sandbox')
  expect(describeMissingSandbox(false, root)).toBe(null)
  expect(describeMissingSandbox(true, { ...root, sandboxed: true })).toBe(null)
  expect(describeMissingSandbox(true, { source: 'remote', sandboxed: false })).toBe(null)
})
