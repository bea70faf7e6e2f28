import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSeal, sealWith } from './seal.ts'

it('opens for the same key and context only, and notices every changed byte', () => {
  const seal = sealWith(Buffer.alloc(32, 1))
  const sealed = seal.close('pässword', 'scan 1 password')
  expect(sealed.toString('latin1')).not.toContain('word')
  expect(seal.open(sealed, 'scan 1 password')).toBe('pässword')
  expect(seal.open(sealed, 'scan 2 password')).toBeNull()
  expect(sealWith(Buffer.alloc(32, 2)).open(sealed, 'scan 1 password')).toBeNull()
  for (const at of sealed.keys()) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(seal.open(changed, 'scan 1 password')).toBeNull()
  }
  expect(seal.close('x', '').equals(seal.close('x', ''))).toBe(false)
})

it('keeps its key in a file of the owner, the same at the next start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clearway-seal-'))
  const sealed = openSeal({ setting: null, folder }).close('secret', 'a')
  expect(openSeal({ setting: null, folder }).open(sealed, 'a')).toBe('secret')
  expect(statSync(join(folder, 'secret-key')).mode & 0o777).toBe(0o600)
  rmSync(folder, { recursive: true })
})

it('opens what an older key sealed, and seals by the newer one', () => {
  const [before, now] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const sealed = sealWith(before).close('secret', 'a')
  const both = sealWith(now, before)
  expect(both.open(sealed, 'a')).toBe('secret')
  const renewed = both.renewed(sealed, 'a')!
  expect(sealWith(now).open(renewed, 'a')).toBe('secret')
  expect(both.renewed(renewed, 'a')).toBeNull()
  expect(both.renewed(sealed, 'b')).toBeNull()
  expect(sealWith(before).open(both.close('x', 'a'), 'a')).toBeNull()
})

it('takes the key of the folder for the old one once a key is set', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clearway-seal-'))
  const sealed = openSeal({ setting: null, folder }).close('secret', 'a')
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
  expect(openSeal({ setting: key(1), folder }).open(sealed, 'a')).toBe('secret')
  const next = openSeal({ setting: key(1), folder }).close('next', 'a')
  expect(openSeal({ setting: key(2), old: key(1), folder }).open(next, 'a')).toBe('next')
  expect(openSeal({ setting: key(2), folder }).open(next, 'a')).toBeNull()
  rmSync(folder, { recursive: true })
})
