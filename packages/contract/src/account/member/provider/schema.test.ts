import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { EmailAddress } from './schema.ts'

const isAddress = (text: string) => z.safeParse(EmailAddress, text).success

it.each([
  'ada@example.org',
  ' ada+a11y@example.org ',
  "o'neil@example.org",
  'jörg@bücher.example',
  'a.b-c_d@localhost',
  '1@a.b',
  'a@xn--bcher-kva.example',
  'a@भारत.भारत',
])('accepts %s', (text) => expect(isAddress(text)).toBe(true))

it.each([
  '',
  'ada',
  'ada@',
  '@example.org',
  'a@b@c',
  'ada\u200b@example.org',
  'ada\u202e@example.org',
  'ada@exam\u200bple.org',
  'a..b@example.org',
  '.a@example.org',
  'a.@example.org',
  'Ada <ada@example.org>',
  'a b@example.org',
  'ada,eve@example.org',
  'ada@-example.org',
  'ada@example-.org',
  'ada@example.org.',
  'ada@example.org/x',
  'ada@example.org:25',
  'ada@[127.0.0.1]',
  'ada@exam\u00adple.org',
])('refuses %j', (text) => expect(isAddress(text)).toBe(false))
