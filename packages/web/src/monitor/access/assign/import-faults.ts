import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ImportReply } from '@clearway/contract/monitor/access/schema.ts'

type ImportFault = Extract<ImportReply, { success: false }>['errors'][number]

const faultMessages: Record<ImportFault['code'], (value: string) => MessageDescriptor> = {
  unreadable: () => msg`The file cannot be read as CSV.`,
  'missing-column': (value) => msg`The column “${value}” is missing from the header of the file.`,
  'too-many-rows': () => msg`The file has too many lines.`,
  empty: () => msg`The file has no lines.`,
  'unknown-team': (value) => (value === '' ? msg`The team is missing.` : msg`There is no team “${value}”.`),
  'unknown-scan': (value) => msg`There is no scan “${value}”.`,
  'unknown-group': (value) => msg`There is no scan group “${value}”.`,
  ambiguous: (value) => msg`More than one has the name “${value}”. Use the ID instead.`,
  'no-target': () => msg`Scan or Scan Group must not be empty`,
  'two-targets': () => msg`Name a scan or a scan group, not both.`,
  'bad-role': (value) =>
    value === ''
      ? msg`The role is missing. The roles are Scan Viewer, Scan Member and Scan Admin.`
      : msg`“${value}” is not a role. The roles are Scan Viewer, Scan Member and Scan Admin.`,
  duplicate: () => msg`The same team and target appear earlier in the file.`,
}

export const getImportFaultMessage = ({ code, value }: ImportFault): MessageDescriptor => faultMessages[code](value)
