import { i18n } from '@lingui/core'
import { expect, it } from 'vitest'
import { messages } from '../../../locales/en.po?part=first'
import { getImportFaultMessage } from './import-faults.ts'

i18n.loadAndActivate({ locale: 'en', messages })

it.each([
  ['unknown-team', '', 'The team is missing.'],
  ['unknown-team', 'Web', 'There is no team “Web”.'],
  ['bad-role', '', 'The role is missing. The roles are Scan Viewer, Scan Member and Scan Admin.'],
  ['no-target', '', 'Scan or Scan Group must not be empty'],
] as const)('reports %s of “%s”', (code, value, text) => {
  expect(i18n._(getImportFaultMessage({ line: 2, column: 'team', code, value, message: '' }))).toBe(text)
})
